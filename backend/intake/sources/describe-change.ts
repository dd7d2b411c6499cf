import { cutText } from '#backend/contract/cut-text.ts';

/** Longest value of one setting that is shown, in characters. */
const MAX_VALUE = 80;

/**
 * What two states of settings differ in, by the names of the API: `reopenWithinMinutes: 15 → 0; auth.key: true → false`. Empty when
 * they are the same. Settings hold no secrets: keys, tokens, addresses and signing secrets are stored apart.
 */
export function describeChange(before: object, after: object): string {
  const [old, current] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((name) => old.get(name) !== current.get(name))
    .map((name) => `${name}: ${shown(old.get(name))} → ${shown(current.get(name))}`)
    .join('; ');
}

/** Every value by its path, as JSON. */
function leavesOf(value: object, prefix = '', leaves = new Map<string, string>()): Map<string, string> {
  for (const [name, part] of Object.entries(value) as [string, unknown][]) {
    if (typeof part === 'object' && part !== null) leavesOf(part, `${prefix}${name}.`, leaves);
    else if (part !== undefined) leaves.set(prefix + name, JSON.stringify(part));
  }
  return leaves;
}

const shown = (value: string | undefined): string => (value === undefined ? 'none' : cutText(value, MAX_VALUE));
