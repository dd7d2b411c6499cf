import type { ConditionPlan } from './mapping-plan.ts';

/** Longest part of a value that a condition looks at, in characters. */
const MAX_TESTED = 10_000;

/** Whether a value passes a condition's test. A missing value is empty text. */
export function passes({ test, value }: Pick<ConditionPlan, 'test' | 'value'>, found: string): boolean {
  const text = found.slice(0, MAX_TESTED).toLowerCase();
  if (test === 'contains') return value !== '' && text.includes(value);
  if (test === 'matches') return matchesPattern(value, text);
  return (text === value) === (test === 'is');
}

/**
 * Whether a whole text is as a pattern in which `*` stands for any characters. Each part is looked for once behind the one
 * before, so the time it takes grows with the text alone.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
