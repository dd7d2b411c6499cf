/**
 * Senders above capacity, in a process of their own: `node storm-senders.ts`. Answers each line of input (a
 * {@link SendersCommand} as JSON) with a line of JSON, {@link Sent}; ends when its input does.
 */
import { type Socket, connect } from 'node:net';
import { setPriority } from 'node:os';
import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { NUMBER, groupBody } from '#tests/support/flood.ts';
import { alertBodies } from './alert-bodies.ts';

/** Sends over connections that are kept and over one for each request. */
export interface SendersCommand {
  url: string;
  apiKey: string;
  kept: number;
  fresh: number;
  seconds: number;
  /** So many requests a second of all together, whether answers come or not; without it as fast as they come. */
  perSecond?: number;
  /** Alerts in each request; 1 without it. */
  alerts?: number;
}

/** How long one kind of answer took, in milliseconds, from the connection's beginning or the request's. */
export interface Times {
  answers: number;
  p50: number;
  p99: number;
  longest: number;
  overOneSecond: number;
  overFiveSeconds: number;
}

/** What became of all requests. */
export interface Sent {
  statuses: Record<string, number>;
  /** Requests without an answer, by why: the connection was reset, ended, or nothing came for {@link PATIENCE_MS}. */
  unanswered: Record<string, number>;
  /** Answers with 503 or 429 that did not say when to send again. */
  withoutRetryAfter: number;
  stored: Times;
  refused: Times;
  /** Requests that fell due while every connection waited for an answer. */
  notSent: number;
  /** How late this process itself was at most, in milliseconds. */
  ownDelay: number;
}

/** Longer than any sender waits. */
const PATIENCE_MS = 60_000;

/** How often it is looked which requests are due, in milliseconds. */
const TICK_MS = 5;

/** After a request without an answer, in milliseconds. */
const AGAIN_MS = 100;

const PATIENT = 10;
/** Whoever measures beside them is not to wait for them. */
setPriority(PATIENT);

interface Tally {
  histogram: RecordableHistogram;
  overOneSecond: number;
  overFiveSeconds: number;
}

const newTally = (): Tally => ({ histogram: createHistogram(), overOneSecond: 0, overFiveSeconds: 0 });

function note(tally: Tally, milliseconds: number): void {
  tally.histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
  if (milliseconds > 1_000) tally.overOneSecond += 1;
  if (milliseconds > 5_000) tally.overFiveSeconds += 1;
}

const timesOf = ({ histogram, overOneSecond, overFiveSeconds }: Tally): Times => ({
  answers: histogram.count,
  p50: histogram.percentile(50) / 1000,
  p99: histogram.percentile(99) / 1000,
  longest: histogram.count === 0 ? 0 : histogram.max / 1000,
  overOneSecond,
  overFiveSeconds,
});

/** An answer's status, and whether its connection and its time to come again are kept. */
interface Answer {
  status: string;
  isKept: boolean;
  hasRetryAfter: boolean;
}

/** Reads one answer with a Content-Length; undefined until all of it is there. */
function readAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end).toLowerCase();
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  return {
    status: head.slice(9, 12),
    isKept: !head.includes('\r\nconnection: close'),
    hasRetryAfter: head.includes('\r\nretry-after: '),
  };
}

/** Sends one request on a connection. Rejects with why there is no answer. */
function exchange(socket: Socket, request: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let text = '';
  const take = (piece: Buffer) => {
    text += piece.toString('latin1');
    const answer = readAnswer(text);
    if (answer) resolve(answer);
  };
  const fail = (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? 'unknown'));
  const end = () => reject(new Error('ended'));
  const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
  socket.on('data', take).on('error', fail).on('close', end);
  socket.write(request);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', take).off('error', fail).off('close', end);
  });
}

/** Lets so many requests fall due in each second, whatever became of those before. */
function createSchedule(perSecond: number): { due(): Promise<boolean>; notSent(): number; end(): void } {
  const free: ((isDue: boolean) => void)[] = [];
  const startedAt = performance.now();
  let fallen = 0;
  let notSent = 0;
  let isOver = false;
  const timer = setInterval(() => {
    for (; fallen < ((performance.now() - startedAt) * perSecond) / 1000; fallen += 1) {
      const sender = free.shift();
      if (sender) sender(true);
      else notSent += 1;
    }
  }, TICK_MS);
  return {
    due: () => new Promise((resolve) => (isOver ? resolve(false) : free.push(resolve))),
    notSent: () => notSent,
    end() {
      isOver = true;
      clearInterval(timer);
      for (const sender of free) sender(false);
    },
  };
}

async function send({ url, apiKey, kept, fresh, seconds, perSecond, alerts = 1 }: SendersCommand): Promise<Sent> {
  const { hostname, port, host } = new URL(url);
  const requestOf = (body: string, isKept: boolean) =>
    `POST /webhook HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Webhook-Auth: ${apiKey}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${isKept ? '' : 'Connection: close\r\n'}\r\n${body}`;
  const bodies = alertBodies();
  const group = alerts > 1 ? groupBody(alerts) : undefined;
  const bodyOf = (number: number) => group?.replaceAll(NUMBER, String(number)) ?? bodies[number % bodies.length] ?? '';
  let requests = 0;
  const schedule = perSecond === undefined ? undefined : createSchedule(perSecond);
  const [stored, refused] = [newTally(), newTally()];
  const sent = {
    statuses: {} as Record<string, number>,
    unanswered: {} as Record<string, number>,
    withoutRetryAfter: 0,
  };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const endAt = performance.now() + seconds * 1000;

  const sender = async (isKept: boolean, number: number) => {
    // Not all in one moment.
    await wait((number % 100) * 10);
    let socket: Socket | undefined;
    while (performance.now() < endAt) {
      if (schedule && !(await schedule.due())) break;
      const startedAt = performance.now();
      socket ??= connect({ host: hostname, port: Number(port), noDelay: true });
      // Between two requests nobody else listens.
      if (socket.listenerCount('error') === 0) socket.on('error', () => undefined);
      try {
        const answer = await exchange(socket, requestOf(bodyOf((requests += 1)), isKept));
        sent.statuses[answer.status] = (sent.statuses[answer.status] ?? 0) + 1;
        note(answer.status === '202' ? stored : refused, performance.now() - startedAt);
        if (answer.status !== '202' && !answer.hasRetryAfter) sent.withoutRetryAfter += 1;
        if (isKept && answer.isKept) continue;
      } catch (error) {
        const { message } = error as Error;
        sent.unanswered[message] = (sent.unanswered[message] ?? 0) + 1;
        await wait(AGAIN_MS);
      }
      socket.destroy();
      socket = undefined;
    }
    socket?.destroy();
  };
  if (schedule) setTimeout(schedule.end, seconds * 1000);
  await Promise.all([
    ...Array.from({ length: kept }, (_, number) => sender(true, number)),
    ...Array.from({ length: fresh }, (_, number) => sender(false, number)),
  ]);
  delays.disable();
  const notSent = schedule?.notSent() ?? 0;
  return { ...sent, stored: timesOf(stored), refused: timesOf(refused), notSent, ownDelay: delays.max / 1e6 };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await send(JSON.parse(line) as SendersCommand)));
}
