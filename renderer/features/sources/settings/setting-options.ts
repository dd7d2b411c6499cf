import { BODY_LIMITS, DELIVERY_DAYS, type SourceSettings } from '#backend/contract/source.ts';
import { formatInterval } from '#renderer/features/sources/shown/ages.ts';
import { counted, formatBytes } from '#renderer/features/sources/shown/amounts.ts';
import * as texts from './texts.ts';

/** A choice of a select; its value as text. */
export interface Choice {
  value: string;
  label: string;
}

const MINUTE_MS = 60_000;

/** Minutes as people say them: `15 minutes`, `4 hours`, `1 day`. */
export function minutesLabel(minutes: number): string {
  if (minutes % 1_440 === 0) return counted(minutes / 1_440, 'day');
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}

const minuteChoices = (minutes: readonly number[]): Choice[] =>
  minutes.map((value) => ({ value: String(value), label: minutesLabel(value) }));

/** The choices with the value that is set, when it is none of them. */
const withSet = (choices: readonly Choice[], set: Choice): Choice[] =>
  choices.some(({ value }) => value === set.value) ? [...choices] : [...choices, set];

/** When an open alert that repeats notifies again. */
export const notifyChoices = ({ notifyAgainAfterMinutes: set }: SourceSettings): Choice[] =>
  withSet([{ value: '', label: texts.never }, ...minuteChoices([15, 60, 240, 1_440])], {
    value: set === null ? '' : String(set),
    label: set === null ? texts.never : minutesLabel(set),
  });

/** For how long after its completion a firing reopens an alert. */
export const reopenChoices = ({ reopenWithinMinutes: set }: SourceSettings): Choice[] =>
  withSet([{ value: '0', label: texts.never }, ...minuteChoices([5, 15, 60, 240, 1_440])], {
    value: String(set),
    label: minutesLabel(set),
  });

/** When problems of a source become one alert because they keep opening and closing. */
export const FLAPPING_CHOICES: readonly Choice[] = [
  { value: 'installation', label: texts.asOnAdminPanel },
  { value: 'own', label: texts.ownLimit },
  { value: 'never', label: texts.never },
];

/** The choice of what is set. */
export const flappingChoice = (set: SourceSettings['flapping']): string => (typeof set === 'string' ? set : 'own');

/** When a problem ends that its sender no longer reports. */
export const unreportedChoices = ({ completeUnreported: set }: SourceSettings): Choice[] =>
  withSet(
    [
      { value: 'off', label: texts.never },
      { value: 'automatic', label: texts.automatic },
      ...minuteChoices([15, 60, 240, 1_440, 10_080]).map(({ value, label }) => ({
        value,
        label: texts.afterTime(label),
      })),
    ],
    { value: String(set), label: typeof set === 'number' ? texts.afterSet(minutesLabel(set)) : '' },
  );

export const unreportedOf = (value: string): SourceSettings['completeUnreported'] =>
  value === 'off' || value === 'automatic' ? value : Number(value);

/** When silence is reported. */
export const silenceChoices = ({ reportSilence: set }: SourceSettings): Choice[] =>
  withSet(
    [
      { value: 'never', label: texts.never },
      { value: 'usual', label: texts.longerThanUsual },
      ...minuteChoices([15, 60, 240, 1_440, 10_080]).map(({ value, label }) => ({
        value,
        label: texts.afterTime(label),
      })),
    ],
    { value: String(set), label: typeof set === 'number' ? texts.afterSet(minutesLabel(set)) : '' },
  );

export const silenceOf = (value: string): SourceSettings['reportSilence'] =>
  value === 'never' || value === 'usual' ? value : Number(value);

export const DAY_CHOICES: readonly Choice[] = DELIVERY_DAYS.map((days) => ({
  value: String(days),
  label: counted(days, 'day'),
}));

export const BODY_CHOICES: readonly Choice[] = BODY_LIMITS.map((bytes) => ({
  value: String(bytes),
  label: bytes === 0 ? texts.none : formatBytes(bytes),
}));

/** What is usual for a source, in one sentence. */
export const usualSentence = (usualGapMs: number | null): string =>
  usualGapMs === null
    ? texts.usualIntervalIsKnownAfter
    : texts.usualInterval(formatInterval(Math.max(usualGapMs, MINUTE_MS / 60)));
