/** The thread that reads calendars, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { CalendarAnswer, CalendarQuestion } from './calendar-thread.ts';
import { CalendarError, spansBetween } from './read-calendar.ts';

if (!parentPort) throw new Error('The calendar worker was started outside a worker thread.');
const port = parentPort;

const answer = ({ number, text, from, to }: CalendarQuestion): CalendarAnswer => {
  try {
    return { number, spans: spansBetween(text, from, to) };
  } catch (error) {
    if (error instanceof CalendarError) return { number, fault: error.message };
    return { number, error: error instanceof Error ? error.message : String(error) };
  }
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
port.on('message', (question: CalendarQuestion) => port.postMessage(answer(question)));
