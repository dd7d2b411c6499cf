import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import type { sourceHealthSchema } from '#backend/contract/source-standing.ts';
import type * as z from 'zod/mini';

/** How a source is doing. */
export type SourceHealth = z.infer<typeof sourceHealthSchema>;

/** What health is decided on. Times in milliseconds. */
export interface HealthFacts {
  pausedAt: number | null;
  pausedBy: string | null;
  reportSilence: SourceSettings['reportSilence'];
  /** The sender's last requests, newest first. */
  recent: readonly { outcome: DeliveryOutcome; summary: string; receivedAt: number }[];
  /** Null when nothing ever came. */
  lastDeliveryAt: number | null;
  /** The usual time between two deliveries; null while unknown. */
  usualGapMs: number | null;
  now: number;
}

/** A source refuses from so many refused requests in a row on, within this time, until one is accepted. */
const REFUSED_IN_A_ROW = 3;
const REFUSED_WITHIN_MS = 60 * 60 * 1000;

/** Silence is longer than usual after so many usual gaps, but not before an hour. */
const SILENT_GAPS = 3;
const MIN_SILENCE_MS = 60 * 60 * 1000;

/** The usual gap is known from so many deliveries on. */
const MIN_DELIVERIES = 20;
/** Of a hundred gaps, so many are not longer than the usual one. */
const USUAL_PERCENTILE = 0.95;

/** Decides on a source's health: the first of paused, refusing, never used, silent, OK. */
export function healthOf(facts: HealthFacts): SourceHealth {
  const { pausedAt, pausedBy, recent, lastDeliveryAt, now } = facts;
  if (pausedAt !== null) return health('paused', pausedBy && `By ${pausedBy}.`, pausedAt);
  const accepted = recent.findIndex(({ outcome }) => outcome !== 'refused');
  const refused = accepted < 0 ? recent : recent.slice(0, accepted);
  const first = refused.at(-1);
  if (first && isRefusing(refused)) return health('refusing', refused[0]?.summary ?? null, first.receivedAt);
  if (lastDeliveryAt === null) return health('never-used', null, null);
  const allowed = allowedSilence(facts);
  if (allowed === null || now - lastDeliveryAt <= allowed.ms) return health('ok', null, null);
  return health('silent', allowed.reason, lastDeliveryAt);
}

/** Whether requests that were refused in a row were ever as many in as short a time. How long ago that was does not matter. */
const isRefusing = (refused: HealthFacts['recent']): boolean =>
  refused.some(({ receivedAt }, index) => {
    const first = refused[index + REFUSED_IN_A_ROW - 1];
    return first !== undefined && receivedAt - first.receivedAt < REFUSED_WITHIN_MS;
  });

function allowedSilence({ reportSilence, usualGapMs }: HealthFacts): { ms: number; reason: string } | null {
  if (reportSilence === 'never') return null;
  if (reportSilence !== 'usual') {
    return { ms: reportSilence * 60_000, reason: `Nothing for more than ${durationOf(reportSilence * 60_000)}.` };
  }
  if (usualGapMs === null) return null;
  const ms = Math.max(SILENT_GAPS * usualGapMs, MIN_SILENCE_MS);
  return { ms, reason: `Longer than usual: every ${durationOf(usualGapMs)}.` };
}

const health = (state: SourceHealth['state'], reason: string | null, since: number | null): SourceHealth => ({
  state,
  reason,
  since: since === null ? null : new Date(since).toISOString(),
});

/** The time between two deliveries that is seldom exceeded; null while there are too few. `times` newest first. */
export function usualGapOf(times: readonly number[]): number | null {
  if (times.length < MIN_DELIVERIES) return null;
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  gaps.sort((one, other) => one - other);
  return gaps[Math.ceil(gaps.length * USUAL_PERCENTILE) - 1] ?? null;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** A duration in its largest unit, such as `5 min`. */
export function durationOf(milliseconds: number): string {
  const [size, unit] = UNITS.find(([one]) => milliseconds >= one) ?? [1_000, 's'];
  return `${Math.max(1, Math.round(milliseconds / size))} ${unit}`;
}
