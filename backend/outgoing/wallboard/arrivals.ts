import type { InsightKeeper } from '#backend/alerts/insight/insight.ts';
import { type Wallboard, WALLBOARD_HOURS } from '#backend/contract/wallboard.ts';
import { isWithin, keepFigure } from './keep-figure.ts';

type Arrivals = Wallboard['arrivals'];
type Insight = Pick<InsightKeeper, 'ask'>;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** How long the hours, and the mean of the week before, are kept, in milliseconds. */
const HOURS_MS = 60_000;
const USUAL_MS = 10 * 60_000;

/** When to ask again after an answer that is not complete, in milliseconds. */
const AGAIN_MS = 10_000;

/**
 * Counts arrivals, with one question at a time: all of Insight answers it, which takes long where alerts are many.
 *
 * @returns a function that says what is known after two seconds at the latest; null while nothing is, or not everything is counted
 */
export function followArrivals(insight: Insight): (now: number) => Promise<Arrivals> {
  let usual = { at: -Infinity, alerts: 0 };
  const count = async (now: number): Promise<Arrivals> => {
    if (!isWithin(usual.at, now, USUAL_MS)) {
      const week = await ask(insight, now - 8 * DAY_MS, now - 2 * DAY_MS);
      if (!week.isComplete) return null;
      usual = { at: now, alerts: Math.round(week.totals.arrived / 7) };
    }
    const hours = await hoursTo(insight, now);
    return hours && { hours, usual: usual.alerts };
  };
  const read = keepFigure<Arrivals>(async (now) => {
    // Alerts are worth seeing also while nothing is counted. What failed may be worked on still, so it waits like an answer.
    const answer = await count(now).catch(() => undefined);
    return { figure: answer ?? null, keptMs: answer === null ? AGAIN_MS : HOURS_MS };
  });
  return async (now) => {
    const known = await read(now);
    // What is older says nothing of the hours that are shown.
    return known && now - known.at < HOUR_MS ? known.figure : null;
  };
}

const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Counts alerts of whole days (UTC). */
const ask = (insight: Insight, from: number, to: number) =>
  insight.ask({
    query: { from: dateOf(from), to: dateOf(to), timeZone: 'UTC' },
    // Nobody's list is asked for.
    person: { only: '' },
    now: to,
  });

/** Hours of the week begin on Monday; the epoch was a Thursday. */
const weekHourAt = (moment: number): number => (Math.floor(moment / HOUR_MS) + 3 * 24) % (7 * 24);

/** The last hours; null while not everything is counted. */
async function hoursTo(insight: Insight, now: number) {
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  const first = last - (WALLBOARD_HOURS - 1) * HOUR_MS;
  const { week, criticalByHour, isComplete } = await ask(insight, first, now);
  if (!isComplete) return null;
  return Array.from({ length: WALLBOARD_HOURS }, (_, hour) => {
    const at = first + hour * HOUR_MS;
    return {
      startsAt: new Date(at).toISOString(),
      alerts: week[weekHourAt(at)] ?? 0,
      critical: criticalByHour[weekHourAt(at)] ?? 0,
    };
  });
}
