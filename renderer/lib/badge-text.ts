import { firstCharacter } from '#backend/contract/cut-text.ts';

/** Text of a badge: nothing for none, `99+` above 99. */
export function badgeText(count: number | undefined): string | undefined {
  if (count === undefined || count <= 0) return undefined;
  return count > 99 ? '99+' : String(count);
}

/** Up to two letters that stand for a person: of the first and the last word of the name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return (firstCharacter(first) + firstCharacter(last)).toLocaleUpperCase();
}
