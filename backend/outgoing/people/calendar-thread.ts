import { Worker } from 'node:worker_threads';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type CalendarSpan, CalendarError } from './read-calendar.ts';

/** What the thread is asked. */
export interface CalendarQuestion {
  number: number;
  text: string;
  from: number;
  to: number;
}

/** What it answers: `fault` is said to people. */
export type CalendarAnswer = { number: number } & ({ spans: CalendarSpan[] } | { fault: string } | { error: string });

/** How long one calendar may take, in milliseconds, and how much memory all of them together, in MiB. */
const LONGEST_MS = 10_000;
const MEMORY_MB = 192;

/** Calendars that wait at most. */
const MAX_WAITING = 100;

/** A calendar could not be read, for a reason that is not in it: it may be right, and the machine busy. */
export class SlowCalendarError extends CalendarError {
  override name = 'SlowCalendarError';
}

/** Reads calendars beside the server's own thread: of a file of 2 MB, with its repetitions, it takes seconds. */
export interface CalendarThread {
  /** As `spansBetween`. @throws {CalendarError} */
  read(text: string, from: number, to: number): Promise<CalendarSpan[]>;
  stop(): Promise<void>;
}

interface Waiting {
  question: CalendarQuestion;
  resolve: (spans: CalendarSpan[]) => void;
  reject: (error: Error) => void;
}

/** One thread, which takes one calendar after the other. It starts with the first, and again after it was ended. */
export function createCalendarThread(logger: Logger, longestMs = LONGEST_MS): CalendarThread {
  const queue: Waiting[] = [];
  let current: (Waiting & { timer: NodeJS.Timeout }) | undefined;
  let worker: Worker | undefined;
  let number = 0;
  let isStopped = false;

  const next = (): void => {
    if (current) return;
    const waiting = queue.shift();
    if (!waiting) return worker?.unref();
    const used = (worker ??= start());
    used.ref();
    const timer = setTimeout(
      () =>
        fail(
          used,
          () => new SlowCalendarError('It takes too long to read. Leave out old events and short repetitions.'),
        ),
      longestMs,
    );
    current = { ...waiting, timer };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    used.postMessage(waiting.question);
  };
  const settle = (end: (one: Waiting) => void): void => {
    const ended = current;
    current = undefined;
    clearTimeout(ended?.timer);
    if (ended) end(ended);
    next();
  };
  const fail = (of: Worker, cause: () => Error): void => {
    if (worker !== of) return;
    worker = undefined;
    void of.terminate();
    const error = cause();
    settle(({ reject }) => reject(error));
  };
  const causeOf = (error: NodeJS.ErrnoException): SlowCalendarError => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new SlowCalendarError('It takes too much memory to read. Leave out old events.');
    logger.error({ err: error }, 'a calendar could not be read because the thread failed');
    return new SlowCalendarError('It could not be read. Try again in a moment.');
  };
  const take = (answer: CalendarAnswer): void => {
    if (answer.number !== current?.question.number) return;
    settle(({ resolve, reject }) => {
      if ('spans' in answer) resolve(answer.spans);
      else reject('fault' in answer ? new CalendarError(answer.fault) : causeOf(new Error(answer.error)));
    });
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./calendar-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    started.on('message', take);
    started.on('error', (error: NodeJS.ErrnoException) => fail(started, () => causeOf(error)));
    started.on('exit', (code) => fail(started, () => causeOf(new Error(`The thread ended with code ${code}.`))));
    return started;
  };

  return {
    read: (text, from, to) =>
      new Promise((resolve, reject) => {
        if (isStopped || queue.length >= MAX_WAITING)
          return reject(new SlowCalendarError('Too many calendars are being read. Try again in a moment.'));
        number += 1;
        queue.push({ question: { number, text, from, to }, resolve, reject });
        next();
      }),
    async stop() {
      isStopped = true;
      const ending = worker;
      worker = undefined;
      for (const { reject } of queue.splice(0)) reject(new SlowCalendarError('The server stops.'));
      settle(({ reject }) => reject(new SlowCalendarError('The server stops.')));
      await ending?.terminate();
    },
  };
}
