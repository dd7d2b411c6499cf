import type { LiveEvent } from '#backend/contract/live-event.ts';
import type { Connection } from './connection.ts';
import { createLatencySample } from './latency-sample.ts';
import { createLookingReport } from './looking.ts';

/** What a page reports over its live connection, which the first screen can do without. */
export interface PageReports {
  /** Events came over the connection just now. */
  arrived(events: readonly LiveEvent[]): void;
  /** What came is in the data that is drawn from. */
  applied(): void;
  stop(): void;
}

/** Reports how long new alerts take to the screen, and which alert is open on it. */
export function createPageReports(connection: Connection): PageReports {
  const sample = createLatencySample(connection);
  const looking = createLookingReport(connection);
  return {
    arrived(events) {
      if (events.some(({ type }) => type === 'hello')) looking.greeted();
      sample.arrived(events);
    },
    applied: sample.applied,
    stop() {
      sample.stop();
      looking.stop();
    },
  };
}
