import * as texts from './texts.ts';

const MONTHS = texts.months.split(' ');
const DAYS = texts.weekdays.split(' ');

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** `GMT+1`, `GMT-3:30`: how far the date's time zone is from UTC. */
function offsetOf(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
}

function ordinalOf(number: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
  return `${number}${number > 10 && number < 14 ? 'th' : ending}`;
}

/** What each part of a pattern stands for, as date-fns names them. */
const PARTS: Readonly<Record<string, (time: Date) => string | number | undefined>> = {
  MMMM: (time) => MONTHS[time.getMonth()],
  MMM: (time) => MONTHS[time.getMonth()]?.slice(0, 3),
  MM: (time) => twoDigits(time.getMonth() + 1),
  EEEE: (time) => DAYS[time.getDay()],
  EEE: (time) => DAYS[time.getDay()]?.slice(0, 3),
  yyyy: (time) => String(time.getFullYear()).padStart(4, '0'),
  dd: (time) => twoDigits(time.getDate()),
  do: (time) => ordinalOf(time.getDate()),
  d: (time) => time.getDate(),
  HH: (time) => twoDigits(time.getHours()),
  h: (time) => time.getHours() % 12 || 12,
  mm: (time) => twoDigits(time.getMinutes()),
  ss: (time) => twoDigits(time.getSeconds()),
  a: (time) => (time.getHours() < 12 ? 'AM' : 'PM'),
  O: offsetOf,
};

const PART = /'([^']*)'|do|([A-Za-z])\2*/g;

/**
 * A moment by a pattern of date-fns, in English. Of date-fns' own `format` nothing could be left out: it has week years,
 * and names to be read again, five kilobytes of the first load (docs/decisions/0007-web-build.md).
 *
 * @throws {RangeError} for a part that no pattern of ours has, and a moment that is none
 */
export function writePattern(time: Date, pattern: string): string {
  if (Number.isNaN(time.getTime())) throw new RangeError('Invalid time value');
  return pattern.replaceAll(PART, (part, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted;
    const write = PARTS[part];
    if (!write) throw new RangeError(`No pattern has "${part}" here.`);
    return String(write(time));
  });
}
