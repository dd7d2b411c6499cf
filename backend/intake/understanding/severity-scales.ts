import type { AlertSeverity } from '#backend/contract/alert.ts';
import { SEVERITY_WORDS } from '#backend/contract/problem-words.ts';
import { wordsOf } from './field-names.ts';
import type { Field } from './survey.ts';

/** Severities that say that it is over. */
export const OVER = new Set(['ok', 'okay', 'normal', 'clear', 'cleared', 'resolved', 'recovery', 'recovered']);

export const LEVELS: ReadonlyMap<string, AlertSeverity> = new Map([
  ...Object.entries(SEVERITY_WORDS).flatMap(([severity, words]) =>
    words.filter((word) => !OVER.has(word)).map((word) => [word, severity as AlertSeverity] as const),
  ),
  ...(
    [
      ['critical', 'emerg panic severe blocker highest urgent s1 severity1 sev1 catastrophic outage priority1'],
      ['high', 'err failure fail failed s2 severity2 danger priority2 serious important alarm'],
      ['warning', 'normal s3 severity3 priority3 degraded'],
      ['low', 's4 severity4 priority4 lowest trivial'],
      ['info', 'notice debug trace p5 s5 severity5 priority5 verbose'],
    ] as const
  ).flatMap(([severity, words]) => words.split(' ').map((word) => [word, severity] as const)),
]);

/** Python's levels (https://docs.python.org/3/library/logging.html#logging-levels), which others took over. */
const PYTHON: ReadonlyMap<number, AlertSeverity> = new Map([
  [10, 'info'],
  [20, 'info'],
  [30, 'warning'],
  [40, 'high'],
  [50, 'critical'],
]);

/** Priorities by number: 1 is the highest wherever priorities are numbered, as in ITIL. */
export const PRIORITIES: readonly AlertSeverity[] = ['none', 'critical', 'high', 'warning', 'low', 'info'];

/** Longer texts are sentences. */
const MAX_WORD = 40;

/** How bad a field says it is, in the scale that its name and its words have. */
export function severityOf({ value, name, text }: Field): AlertSeverity | undefined {
  if (!value.isString || /^\d+$/.test(text)) {
    const number = Number(text);
    if (name.words.includes('priority') || name.words.includes('urgency')) return PRIORITIES[number];
    return name.words.includes('level') ? PYTHON.get(number) : undefined;
  }
  if (text.length > MAX_WORD) return undefined;
  const words = wordsOf(text);
  // "P1 - Critical", "2 - High", "Sev 3".
  return LEVELS.get(words.join('')) ?? words.map((word) => LEVELS.get(word)).find((level) => level !== undefined);
}

const COLORS: ReadonlyMap<string, AlertSeverity> = new Map([
  ...['danger', 'red', 'attention'].map((color) => [color, 'high'] as const),
  ...['warning', 'orange', 'yellow'].map((color) => [color, 'warning'] as const),
]);

/** How bad a color is: its name, `#d00000`, or the number that Discord has for it. Red is high, orange and yellow warn. */
export function severityOfColor(color: string): AlertSeverity | undefined {
  const named = COLORS.get(color);
  if (named) return named;
  const number = /^\d{7,8}$/.test(color) ? Number(color) : undefined;
  const hex = number ?? Number.parseInt(/^#?([\da-f]{6})$/.exec(color)?.[1] ?? '', 16);
  if (!(hex >= 0 && hex <= 0xffffff)) return undefined;
  const [red, green, blue] = [Math.floor(hex / 0x10000), Math.floor(hex / 0x100) % 0x100, hex % 0x100] as const;
  if (red < MIN_RED || blue > red / 2 + 1) return undefined;
  return green <= red / 2 ? 'high' : green <= red ? 'warning' : undefined;
}
const MIN_RED = 0xa0;
