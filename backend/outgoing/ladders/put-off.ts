import type { SlowCalendarError } from '#backend/outgoing/people/calendar-thread.ts';
import { createKnownPeople } from '#backend/outgoing/people/known-people.ts';
import { waitOnce } from '#backend/outgoing/people/resolve-recipients.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type StepDeps, takeStep } from './take-step.ts';

/** So long after an attempt began the next one of the same step follows, in milliseconds: others are taken meanwhile. */
const PUT_OFF_MS = 30_000;

/** So long a calendar that could not be read is not read again, in milliseconds: all steps and messages would wait for it. */
const UNREAD_MS = PUT_OFF_MS - 1_000;

/** So long after its first attempt a step no longer waits for a calendar, in milliseconds. */
const GIVEN_UP_MS = 55_000;

/** What failed so long ago has ended, or is put off by a server that led in between, in milliseconds. */
const FORGOTTEN_MS = 60 * 60 * 1000;

/** Steps of ladders that failed. */
export interface PutOff {
  /** Takes steps, of a look that began at this moment. One that fails is put off. */
  taking(now: number, stopping: AbortSignal): (runId: string) => Promise<void>;
  /** The clock was set: what is counted by it begins again. */
  forget(): void;
}

/**
 * Puts steps off that could not be taken, so that those of other alerts move. The time of a step stays, and so do those that
 * follow. Who leads next counts the attempts from the first.
 */
export function createPutOff(deps: StepDeps & { logger: Logger }): PutOff {
  const { database, logger } = deps;
  /** When the first attempt of the next step of a ladder failed. */
  const failed = new Map<string, number>();
  let unread = { at: Number.NEGATIVE_INFINITY, calendars: new Map<string, SlowCalendarError>() };

  const putOff = (runId: string, now: number): Promise<unknown> =>
    database.transaction((tx) =>
      tx.query("UPDATE ladder_runs SET due_at = ? WHERE id = ? AND state = 'running' AND due_at <= ?", [
        Math.round(now + PUT_OFF_MS),
        runId,
        now,
      ]),
    );

  return {
    taking(now, stopping) {
      for (const [id, at] of failed) if (now - at > FORGOTTEN_MS) failed.delete(id);
      if (unread.calendars.size === 0 || now - unread.at >= UNREAD_MS) unread = { at: now, calendars: new Map() };
      // Steps of one look are about the same moment, and mostly about the same people.
      const waiting = { ...deps, whoIsOn: waitOnce(deps, unread.calendars), people: createKnownPeople(deps) };
      return async (runId) => {
        if (stopping.aborted) return;
        const since = failed.get(runId);
        try {
          await takeStep(waiting, runId, now, since !== undefined && now - since >= GIVEN_UP_MS);
          failed.delete(runId);
        } catch (error) {
          if (stopping.aborted) return;
          if (since === undefined) {
            failed.set(runId, now);
            logger.error({ err: error, ladder: runId }, 'a step of a ladder could not be taken; it is put off');
          }
          // Where that cannot be stored either, the step stays due.
          await putOff(runId, now).catch(() => undefined);
        }
      };
    },
    forget() {
      failed.clear();
      unread.calendars.clear();
    },
  };
}
