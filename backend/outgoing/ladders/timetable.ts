import { type Ladder, type LadderStep, REPEAT_AFTER_MINUTES } from '#backend/contract/ladder.ts';

const MINUTE_MS = 60_000;

/** One place of a ladder's timetable. */
export interface Position {
  /** Counts from 0 through all repeats. */
  position: number;
  /** 0 for the first time, then the number of the repeat. */
  round: number;
  /** Null of the end, at which every administrator is notified. */
  step: (LadderStep & { number: number }) | null;
  /** Milliseconds after the start. */
  afterMs: number;
}

/** All that a ladder does, in order, with its end. Pure: elapsed time alone, so that no clock change moves a step. */
export function timetableOf({ steps, repeat }: Pick<Ladder, 'steps' | 'repeat'>): Position[] {
  const roundMs = ((steps.at(-1)?.afterMinutes ?? 0) + REPEAT_AFTER_MINUTES) * MINUTE_MS;
  const positions = Array.from({ length: repeat + 1 }, (_, round) =>
    steps.map((step, at) => ({
      position: round * steps.length + at,
      round,
      step: { ...step, number: at + 1 },
      afterMs: round * roundMs + step.afterMinutes * MINUTE_MS,
    })),
  ).flat();
  return [...positions, { position: positions.length, round: repeat, step: null, afterMs: (repeat + 1) * roundMs }];
}

/**
 * When a step is due by a clock that may have been set back while nobody looked: never later than its time after the step
 * before it, counted from now.
 *
 * @param gapMs from the step before it to this one
 */
export const boundedDue = (dueAt: number, gapMs: number, now: number): number => Math.min(dueAt, now + gapMs);

/** How long a step comes after the one before it, in milliseconds; after the start for the first. */
export function gapBefore(timetable: readonly Position[], position: number): number {
  return (timetable[position]?.afterMs ?? 0) - (position === 0 ? 0 : (timetable[position - 1]?.afterMs ?? 0));
}
