/** Up to two letters that stand for a person: of the first and the last word of the name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return (firstLetter(first) + firstLetter(last)).toLocaleUpperCase();
}

/** A letter may be several code units: it is taken whole. */
const firstLetter = (word: string): string => [...word][0] ?? '';
