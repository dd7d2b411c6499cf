import { Worker } from 'node:worker_threads';
import type { ReadDelivery, SenderEvent, SenderRequest, UnreadDelivery } from '#backend/intake/adapters/adapter.ts';
import type { FieldOrigin } from '#backend/contract/delivery.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import { ProblemError, unavailable } from '#backend/platform/endpoint/errors.ts';
import type { EvaluationBudget } from './mapping-thread.ts';
import type { ReadingSettings } from './read-delivery.ts';
import { type TaskLimits, createTaskThread } from './task-thread.ts';

/** From so many characters on a body is read beside the server's own thread, which such a body would keep for long. */
export const LARGE_BODY = 128 * 1024;

/** What the thread is asked. */
export interface ReadingTask {
  request: SenderRequest;
  settings: ReadingSettings;
  /** Of how many alerts the origins of their fields are asked for. */
  origins: number;
}

/** Whether the thread may evaluate the paths of the delivery that it is at: `stopped` says why it may not. */
export interface EvaluationAnswer {
  stopped: string | undefined;
}

/**
 * What the thread says: that it is to evaluate the delivery's paths, which it does once it is answered; how long that took;
 * then parts of the alerts, so that no message takes long to receive; then the rest of the delivery.
 */
export type ReadPart =
  | { asksToEvaluate: true }
  | { evaluatedMs: number }
  | { events: PlainEvent[]; shared: JsonText | undefined }
  | { read: Omit<ReadDelivery, 'events'> }
  | { problem: { status: number; id: string; message: string } };

/** An alert as it crosses between threads, without what the alerts of its part share, and origins that nobody asked for. */
export type PlainEvent = Omit<SenderEvent, 'origins' | 'shared'> & { shared?: JsonText; origins?: FieldOrigin[] };

const BUSY = 'The server could not read so large a delivery right now. Send it again.';

/** Reads large deliveries beside the server's own thread. */
export interface ReadingThread {
  /**
   * As `readDelivery`. Never rejects: what the thread cannot do, or has no room for, is an error to answer, 503.
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

/** One thread, which takes one delivery after the other. */
export function createReadingThread(limits: Partial<TaskLimits> = {}): ReadingThread {
  const thread = createTaskThread<ReadPart>(() => new Worker(new URL('./reading-worker.ts', import.meta.url)), limits);
  return {
    read: (request, settings, budget, origins = 0) =>
      new Promise((resolve) => {
        const { headers, body, contentType, receivedAt } = request;
        const message: ReadingTask = {
          request: { headers: { ...headers }, body, contentType, receivedAt },
          settings: { adapter: settings.adapter, mapping: settings.mapping },
          origins,
        };
        const events: SenderEvent[] = [];
        thread.add({
          message,
          size: body.length,
          fail: () => resolve(failed()),
          take(part, reply) {
            if ('asksToEvaluate' in part) reply({ stopped: budget.whyNot() } satisfies EvaluationAnswer);
            else if ('evaluatedMs' in part) budget.spend(part.evaluatedMs);
            else if ('events' in part) {
              for (const event of part.events)
                events.push({ ...event, shared: event.shared ?? part.shared!, origins: event.origins ?? [] });
            } else if ('read' in part) resolve({ ...part.read, events });
            else resolve({ error: new ProblemError(part.problem.status, part.problem.id, part.problem.message) });
            return 'read' in part || 'problem' in part;
          },
        });
      }),
    stop: () => thread.stop(),
  };
}
