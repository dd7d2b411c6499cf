import { MAX_RHYTHM_TURNS } from '#backend/contract/flapping.ts';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { SourceFlapping } from '#backend/contract/flapping-rule.ts';

const MINUTE_MS = 60_000;

/** When a problem flaps: it has opened more than `times` times in `withinMinutes`. */
export interface FlappingTerms {
  times: number;
  withinMinutes: number;
}

/**
 * When problems of a source flap.
 *
 * @param own what the source says; undefined of what has no source
 * @param all what the installation says
 * @returns undefined where none does
 */
export function termsFor(own: SourceFlapping | undefined, all: FlappingTerms | undefined): FlappingTerms | undefined {
  if (own === undefined || own === 'installation') return all;
  return own === 'never' ? undefined : own;
}

/** When a problem opened and closed, as its alert keeps it. */
export interface Rhythm {
  /** Whether its last turn opened it; the turns before it alternate. */
  isOpen: boolean;
  /** Times in milliseconds, the oldest first: those of the last `withinMinutes`, {@link MAX_RHYTHM_TURNS} at most. */
  turns: readonly number[];
  withinMinutes: number;
  /** It was critical when it began to flap, or was announced as critical since: it is not announced as such again. */
  isKnownCritical: boolean;
}

/** The rhythm of a problem that has opened once, and closed. */
export const rhythmOf = (openedAt: number, closedAt: number, withinMinutes: number): Rhythm => ({
  isOpen: false,
  turns: [Math.min(openedAt, closedAt), closedAt],
  withinMinutes,
  isKnownCritical: false,
});

/**
 * A rhythm after the problem has opened or closed. What is as it was changes nothing. Where the clock went back, what was moves
 * back with it: times between turns stay, and none lies ahead.
 *
 * @param now milliseconds since the epoch
 */
export function turn(rhythm: Rhythm, isOpen: boolean, now: number, withinMinutes = rhythm.withinMinutes): Rhythm {
  if (rhythm.isOpen === isOpen) return rhythm;
  const ahead = Math.max(0, (rhythm.turns.at(-1) ?? now) - now);
  const since = now - withinMinutes * MINUTE_MS;
  const before = rhythm.turns.map((at) => at - ahead).filter((at) => at > since);
  return { ...rhythm, isOpen, withinMinutes, turns: [...before, now].slice(-MAX_RHYTHM_TURNS) };
}

/** When it opened, the newest first. */
const openingsOf = ({ isOpen, turns }: Pick<Rhythm, 'isOpen' | 'turns'>): number[] =>
  turns.toReversed().filter((_, index) => (index % 2 === 0) === isOpen);

/** Whether a problem flaps that has just opened. */
export function flaps(rhythm: Rhythm, { times, withinMinutes }: FlappingTerms, now: number): boolean {
  const since = now - withinMinutes * MINUTE_MS;
  return openingsOf(rhythm).filter((at) => at > since).length > times;
}

/**
 * From when on a problem that flaps counts as calm, if nothing else happens: it has opened at most half as often as it takes to
 * flap. A problem at the very border would else begin and end to flap with each opening.
 */
export function calmAt(rhythm: Rhythm, { times, withinMinutes }: FlappingTerms): number {
  const openings = openingsOf(rhythm);
  const last = openings[Math.floor(times / 2)];
  return last === undefined ? (rhythm.turns.at(-1) ?? 0) : last + withinMinutes * MINUTE_MS;
}

/** What of a stored alert says whether its problem flaps. */
interface FlappingAlert {
  flappingSince: number | null;
  rhythm: string | null;
  status: AlertStatus;
}

/** A rhythm as it is stored. */
export const writeRhythm = (rhythm: Rhythm): string => JSON.stringify(rhythm);

/** A stored rhythm. */
export const readRhythm = (stored: string): Rhythm => JSON.parse(stored) as Rhythm;

/** Whether an alert is the card of a problem that flaps. Whoever completes it has ended that. */
export const isFlapping = ({ flappingSince, status }: Pick<FlappingAlert, 'flappingSince' | 'status'>): boolean =>
  flappingSince !== null && status !== 'completed';

/** Whether the problem of a card that flaps is closed for a moment. */
export const isPaused = (alert: Pick<FlappingAlert, 'flappingSince' | 'status' | 'rhythm'>): boolean =>
  isFlapping(alert) && alert.rhythm !== null && !readRhythm(alert.rhythm).isOpen;

/** What leaves the server of an alert whose problem flaps, as JSON; null of all others. */
export function presentFlapping({ flappingSince, rhythm, status }: FlappingAlert): string | null {
  if (flappingSince === null || rhythm === null || status === 'completed') return null;
  const { isOpen, turns, withinMinutes } = readRhythm(rhythm);
  return JSON.stringify({
    since: new Date(flappingSince).toISOString(),
    withinMinutes,
    isOpen,
    turns: turns.map((at) => new Date(at).toISOString()),
  });
}
