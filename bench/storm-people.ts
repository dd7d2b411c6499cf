/**
 * Live clients, of whom some never read, somebody who reads a list, and a probe of `/readyz`, in a process of their own:
 * `node storm-people.ts`. Answers each line of input (a {@link PeopleCommand} as JSON) with a line of JSON; ends when its
 * input does.
 */
import { Agent, request } from 'node:http';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { type Listener, listen } from './listener.ts';
import { percentile } from './measurement.ts';

/** What may be asked of it. */
export type PeopleCommand =
  /** Opens so many live clients, shared out among the members. They come again when they are dropped, as pages do. */
  | { do: 'open'; url: string; cookies: string[]; readers: number; slow: number }
  /** Reads the inbox and asks `/readyz` again and again from now on. */
  | { do: 'watch'; url: string; cookie: string }
  /** What was seen since then. */
  | { do: 'seen' };

/** How long one kind of answer took, in milliseconds, and how many were none or not 200. */
export interface Waits {
  answers: number;
  p50: number;
  p99: number;
  longest: number;
  others: Record<string, number>;
}

/** What people saw. */
export interface Seen {
  list: Waits;
  readyz: Waits;
  /** From a webhook's arrival to a live client, in milliseconds. */
  delay: { events: number; p50: number; p99: number; longest: number };
  /** How often live clients that read were dropped, and how often a client was refused. */
  dropped: number;
  refused: Record<string, number>;
  /** How late this process itself was at most, in milliseconds. */
  ownDelay: number;
}

/** A page that lost its connection comes again after about so long, in milliseconds. */
const AGAIN_MS = 1_000;

/** Who does not read does not learn that the server dropped them: they come again after so long, in milliseconds. */
const SLOW_MS = 10_000;

/** Between an answer and the next question, in milliseconds. */
const PAUSE_MS = 100;

const RECEIVED_AT = '"timestamp":"';
const TIME_LENGTH = 24;

let dropped = 0;
const refused: Record<string, number> = {};
const delays = createHistogram();
const own = monitorEventLoopDelay({ resolution: 1 });

/** Of each frame the first alert, which has waited longest for the others. */
function noteDelay(text: Buffer): void {
  const at = text.indexOf(RECEIVED_AT);
  if (at === -1 || !text.includes('"type":"new_alert"')) return;
  const receivedAt = Date.parse(
    text.toString('latin1', at + RECEIVED_AT.length, at + RECEIVED_AT.length + TIME_LENGTH),
  );
  delays.record(Math.max(1, Date.now() - receivedAt));
}

/** Keeps one live client open. Resolves when it was open for the first time. */
function keepOpen(url: URL, cookie: string, kind: 'readers' | 'slow', onText?: (text: Buffer) => void): Promise<void> {
  const opened = Promise.withResolvers<void>();
  const run = async () => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const listener: Listener = await listen(url, cookie, onText);
        opened.resolve();
        if (kind === 'slow') {
          listener.pause();
          await wait(SLOW_MS * (0.5 + Math.random()));
          listener.close();
          continue;
        }
        await listener.closed;
        dropped += 1;
      } catch (error) {
        if (isFirst) opened.reject(error);
        const reason = (error as Error).message.slice(0, 60);
        refused[reason] = (refused[reason] ?? 0) + 1;
      }
      await wait(AGAIN_MS * (0.5 + Math.random()));
    }
  };
  void run();
  return opened.promise;
}

async function open({ url, cookies, readers, slow }: PeopleCommand & { do: 'open' }): Promise<number> {
  for (let number = 0; number < readers + slow; number += 1) {
    const kind = number < readers ? 'readers' : 'slow';
    // One in twenty says how late it was; the others cost as little as they can.
    const onText = kind === 'readers' && number % 20 === 0 ? noteDelay : undefined;
    await keepOpen(new URL(url), cookies[number % cookies.length] ?? '', kind, onText);
  }
  return readers + slow;
}

const agent = new Agent({ keepAlive: true });

/** Asks again and again, and keeps how long answers took. */
function watch(url: URL, headers: Record<string, string>): () => Waits {
  const times: number[] = [];
  const others: Record<string, number> = {};
  const ask = () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const sent = request(url, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    sent.end();
    return promise;
  };
  const run = async () => {
    for (;;) {
      const startedAt = performance.now();
      const status = await ask();
      times.push(performance.now() - startedAt);
      if (status !== '200') others[status] = (others[status] ?? 0) + 1;
      await wait(PAUSE_MS);
    }
  };
  void run();
  return () => ({
    answers: times.length,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    longest: percentile(times, 100),
    others,
  });
}

let seen: () => Seen;

async function obey(command: PeopleCommand): Promise<unknown> {
  if (command.do === 'open') return open(command);
  if (command.do === 'seen') return seen();
  const list = watch(new URL('/api/alerts/inbox?limit=50', command.url), { cookie: command.cookie });
  const readyz = watch(new URL('/readyz', command.url), {});
  own.enable();
  seen = () => ({
    list: list(),
    readyz: readyz(),
    delay: {
      events: delays.count,
      p50: delays.percentile(50),
      p99: delays.percentile(99),
      longest: delays.count === 0 ? 0 : delays.max,
    },
    dropped,
    refused,
    ownDelay: own.max / 1e6,
  });
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify((await obey(JSON.parse(line) as PeopleCommand)) ?? null));
}
process.exit(0);
