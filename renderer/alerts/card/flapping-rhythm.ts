import { MAX_RHYTHM_TURNS, type Flapping } from '#backend/contract/flapping.ts';
import { spanOf } from '#renderer/alerts/data/problem-labels.ts';

const MINUTE_MS = 60_000;

/** How large a rhythm is drawn, in pixels: over a line, up is open. */
export const RHYTHM_WIDTH = 140;
export const RHYTHM_HEIGHT = 12;

/** When the problem opened within its time, in milliseconds, the oldest first. */
function openingsOf({ turns, isOpen, withinMinutes }: Flapping, now: Date): number[] {
  const since = now.getTime() - withinMinutes * MINUTE_MS;
  return turns
    .filter((_, index) => (turns.length - 1 - index) % 2 === (isOpen ? 0 : 1))
    .map((turn) => Date.parse(turn))
    .filter((at) => at > since);
}

/** A time to a person: "30 min", "2 h". */
const windowOf = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`);

/**
 * "14 times in 30 min, about every 2 min". Of one that turns so often that not all is kept: "Over 30 times". Without an opening in
 * its time: "Closed for 30 min", or "Open for".
 */
export function flappingLine(flapping: Flapping, now: Date): string {
  const openings = openingsOf(flapping, now);
  const isMore = flapping.turns.length === MAX_RHYTHM_TURNS && openings.length >= MAX_RHYTHM_TURNS / 2;
  const times = ['never', 'once', 'twice'][openings.length] ?? `${openings.length} times`;
  const often = `${isMore ? 'over ' : ''}${times} in ${windowOf(flapping.withinMinutes)}`;
  const line =
    openings.length === 0 ? `${flapping.isOpen ? 'open' : 'closed'} for ${windowOf(flapping.withinMinutes)}` : often;
  const [first = 0] = openings;
  const pace = openings.length < 2 ? 0 : ((openings.at(-1) ?? 0) - first) / (openings.length - 1);
  const label = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  if (pace === 0) return label;
  const span = pace < MINUTE_MS ? undefined : spanOf(Math.round(pace / MINUTE_MS) * MINUTE_MS);
  return `${label}, about every ${span ?? `${Math.max(1, Math.round(pace / 1000))} s`}`;
}

const yOf = (open: boolean): number => (open ? 1 : RHYTHM_HEIGHT - 1);

/** The outline of a rhythm, as the path of an SVG: from the beginning of its time to now. */
export function rhythmPath({ turns, isOpen, withinMinutes }: Flapping, now: Date): string {
  const end = now.getTime();
  const since = end - withinMinutes * MINUTE_MS;
  const xOf = (at: number): number => {
    const part = (Math.min(at, end) - since) / (end - since);
    return Math.round(Math.max(0, part) * RHYTHM_WIDTH * 10) / 10;
  };
  // What was before the first turn is the other way round.
  let open = turns.length % 2 === 0 ? isOpen : !isOpen;
  let path = `M0 ${yOf(open)}`;
  for (const turn of turns) {
    const x = xOf(Date.parse(turn));
    open = !open;
    path += `H${x}V${yOf(open)}`;
  }
  return `${path}H${RHYTHM_WIDTH}`;
}
