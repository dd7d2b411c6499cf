import { Worker } from 'node:worker_threads';
import type { ReadDelivery, SenderEvent, SenderRequest, UnreadDelivery } from '#backend/intake/adapters/adapter.ts';
import type { FieldOrigin } from '#backend/contract/delivery.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import { ProblemError, unavailable } from '#backend/platform/endpoint/errors.ts';
import type { EvaluationBudget } from './mapping-thread.ts';
import type { ReadingSettings } from './read-delivery.ts';

/** From so many characters on a body is read beside the server's own thread, which such a body would keep for long. */
export const LARGE_BODY = 128 * 1024;

/** What the thread is asked. */
export interface NumberedReading {
  number: number;
  request: SenderRequest;
  settings: ReadingSettings;
  /** Of how many alerts the origins of their fields are asked for. */
  origins: number;
}

/** Whether the thread may evaluate the paths of the delivery that it is at: `stopped` says why it may not. */
export interface EvaluationAnswer {
  number: number;
  stopped: string | undefined;
}

/**
 * What the thread says: that it is to evaluate the delivery's paths, which it does once it is answered; how long that took;
 * then parts of the alerts, so that no message takes long to receive; then the rest of the delivery.
 */
export type ReadPart =
  | { number: number; asksToEvaluate: true }
  | { number: number; evaluatedMs: number }
  | { number: number; events: PlainEvent[]; shared: JsonText | undefined }
  | { number: number; read: Omit<ReadDelivery, 'events'> }
  | { number: number; problem: { status: number; id: string; message: string } };

/** An alert as it crosses between threads, without what the alerts of its part share, and origins that nobody asked for. */
export type PlainEvent = Omit<SenderEvent, 'origins' | 'shared'> & { shared?: JsonText; origins?: FieldOrigin[] };

/** How long the thread may be silent with a delivery before it is replaced, in milliseconds. */
const SILENT_MS = 20_000;

const BUSY = 'The server could not read so large a delivery right now. Send it again.';

interface Waiting {
  budget: EvaluationBudget;
  events: SenderEvent[];
  resolve: (reading: ReadDelivery | UnreadDelivery) => void;
  timer: NodeJS.Timeout;
}

/** Reads large deliveries beside the server's own thread. */
export interface ReadingThread {
  /**
   * As `readDelivery`. Never rejects: what the thread cannot do is an error to answer, 503.
   *
   * @param budget of the source, for the paths of its mapping that have to be evaluated
   * @param origins of how many alerts the origins of their fields are asked for; the others have none
   */
  read(
    request: SenderRequest,
    settings: ReadingSettings,
    budget: EvaluationBudget,
    origins?: number,
  ): Promise<ReadDelivery | UnreadDelivery>;
  stop(): Promise<void>;
}

const failed = (): UnreadDelivery => ({ error: unavailable(BUSY, 5) });

/** One thread, which takes one delivery after the other. It starts with the first, and again after it has failed. */
export function createReadingThread(silentMs = SILENT_MS): ReadingThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let number = 0;
  let isStopped = false;

  const settle = (of: number, reading: ReadDelivery | UnreadDelivery): void => {
    const one = waiting.get(of);
    waiting.delete(of);
    clearTimeout(one?.timer);
    if (waiting.size === 0) worker?.unref();
    one?.resolve(reading);
  };
  const fail = (of: Worker): void => {
    if (worker !== of) return;
    worker = undefined;
    void of.terminate();
    for (const one of waiting.keys()) settle(one, failed());
  };
  const take = (part: ReadPart): void => {
    const one = waiting.get(part.number);
    if (!one) return;
    if ('asksToEvaluate' in part) {
      const answer: EvaluationAnswer = { number: part.number, stopped: one.budget.whyNot() };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker?.postMessage(answer);
    } else if ('evaluatedMs' in part) one.budget.spend(part.evaluatedMs);
    else if ('events' in part) {
      for (const event of part.events)
        one.events.push({ ...event, shared: event.shared ?? part.shared!, origins: event.origins ?? [] });
    } else if ('read' in part) settle(part.number, { ...part.read, events: one.events });
    else settle(part.number, { error: new ProblemError(part.problem.status, part.problem.id, part.problem.message) });
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./reading-worker.ts', import.meta.url));
    started.on('message', take);
    started.on('error', () => fail(started));
    started.on('exit', () => fail(started));
    return started;
  };

  return {
    read: (request, settings, budget, origins = 0) =>
      new Promise((resolve) => {
        if (isStopped) return resolve(failed());
        number += 1;
        const used = (worker ??= start());
        used.ref();
        waiting.set(number, { budget, events: [], resolve, timer: setTimeout(() => fail(used), silentMs) });
        const { headers, body, contentType, receivedAt } = request;
        const message: NumberedReading = {
          number,
          request: { headers: { ...headers }, body, contentType, receivedAt },
          settings: { adapter: settings.adapter, mapping: settings.mapping },
          origins,
        };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        used.postMessage(message);
      }),
    async stop() {
      isStopped = true;
      const ending = worker;
      worker = undefined;
      for (const one of waiting.keys()) settle(one, failed());
      await ending?.terminate();
    },
  };
}
