import { type NarrowedList, labelKey } from '#backend/alerts/alert/alert-list.ts';
import { requirementOf } from '#backend/alerts/alert/match-list.ts';
import { spellingsOf } from '#backend/platform/search/search-text.ts';

/** What of an alert rules are found by. */
export interface IndexedAlert {
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  severity: string;
  label: string | null;
  title: string | null;
  url: string;
  payload: string;
}

/** Positions of rules, a bit each. */
type Positions = Uint32Array;

const FIELDS = ['label', 'sourceId', 'customer', 'alertType', 'severity'] as const;
type IndexedField = (typeof FIELDS)[number];

/** Characters of a text of a rule by which it is found, and their codes in the table of trigrams. */
const GRAM_LENGTH = 3;
const TABLE_SIZE = 4_096;

/** Which rules may be about an alert: few of many, so that the others need not be asked. */
export interface RuleIndex {
  /** The rules that may be about it, by their fields as they are now. Texts are found once: no rule changes what is searched but the title. */
  candidatesFor(alert: IndexedAlert): Candidates;
}

/** Rules that may be about an alert, in their order. */
export interface Candidates {
  /** The position of the first one at `from` or later; -1 where there is none. */
  next(from: number): number;
  /** To be called when a rule has changed the alert. */
  renew(): void;
}

/**
 * Finds rules by a value that every alert of theirs has (label, source, customer, type or severity), else by three characters of a text
 * that every alert of theirs contains. What has neither is a candidate for all.
 */
export function createRuleIndex(lists: readonly NarrowedList[]): RuleIndex {
  const words = Math.ceil(lists.length / 32);
  const always = new Uint32Array(words);
  const byField = new Map<IndexedField, Map<string, Positions>>();
  const byGram = new Map<number, Positions>();
  const rarity = countGrams(lists);
  for (const [position, list] of lists.entries()) {
    const required = requirementOf(list);
    if (required && required.field !== 'ownerId') {
      const ofField = byField.get(required.field) ?? new Map<string, Positions>();
      byField.set(required.field, ofField);
      for (const value of required.values) add(ofField, value, position, words);
      continue;
    }
    const grams = rarestOf(list.texts, rarity);
    if (grams) for (const gram of grams) add(byGram, gram, position, words);
    else mark(always, position);
  }
  const fields = FIELDS.flatMap((field) => {
    const positions = byField.get(field);
    return positions ? [[field, positions] as const] : [];
  });
  const isGram = new Uint8Array(TABLE_SIZE);
  for (const gram of byGram.keys()) isGram[gram % TABLE_SIZE] = 1;

  const collect = (found: Positions, alert: IndexedAlert): void => {
    found.set(always);
    for (const [field, positions] of fields) {
      const value = alert[field];
      if (value !== null) join(found, positions.get(field === 'label' ? labelKey(value) : value));
    }
    if (byGram.size === 0) return;
    for (const text of [alert.payload, alert.title, alert.customer, alert.url]) {
      if (text !== null) findGrams(text, isGram, (gram) => join(found, byGram.get(gram)));
    }
  };
  return {
    candidatesFor(alert) {
      const found = new Uint32Array(words);
      collect(found, alert);
      return { next: (from) => nextOf(found, from), renew: () => collect(found, alert) };
    },
  };
}

function add<Key>(map: Map<Key, Positions>, key: Key, position: number, words: number): void {
  const positions = map.get(key) ?? new Uint32Array(words);
  mark(positions, position);
  map.set(key, positions);
}

const mark = (positions: Positions, position: number): void => {
  positions[position >>> 5] = (positions[position >>> 5] ?? 0) | (1 << (position & 31));
};

function join(found: Positions, more: Positions | undefined): void {
  if (!more) return;
  for (let at = 0; at < found.length; at += 1) found[at] = (found[at] ?? 0) | (more[at] ?? 0);
}

function nextOf(found: Positions, from: number): number {
  for (let word = from >>> 5; word < found.length; word += 1) {
    const bits = (found[word] ?? 0) & (word === from >>> 5 ? -1 << (from & 31) : -1);
    if (bits !== 0) return word * 32 + (31 - Math.clz32(bits & -bits));
  }
  return -1;
}

/** The case of ASCII letters aside; two characters beyond ASCII are the same as an ASCII letter whatever the case. */
const FOLDED = new Uint8Array(128);
for (let code = 0; code < 128; code += 1)
  FOLDED[code] = String.fromCodePoint(code).toLowerCase().codePointAt(0) ?? code;
const KELVIN_SIGN = 0x21_2a;
const LONG_S = 0x1_7f;
/** In no trigram. */
const OTHER = 0;

function foldedAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return FOLDED[code] ?? OTHER;
  if (code === KELVIN_SIGN) return 0x6b;
  return code === LONG_S ? 0x73 : OTHER;
}

/** In how many texts of rules a trigram is. What many rules look for finds too many of them. */
function countGrams(lists: readonly NarrowedList[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const text of lists.flatMap(({ texts }) => texts)) {
    for (const gram of new Set(spellingsOf(text).flatMap(gramsIn))) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/**
 * The trigrams by which a rule is found: of the text whose trigrams the fewest texts share, one of each way to write it. An alert
 * that contains the text has one of them. Undefined where each text can be written without a trigram.
 */
function rarestOf(texts: readonly string[], rarity: ReadonlyMap<number, number>): readonly number[] | undefined {
  const countOf = (gram: number): number => rarity.get(gram) ?? 0;
  let rarest: { grams: readonly number[]; count: number } | undefined;
  for (const text of texts) {
    const grams = spellingsOf(text).map((spelling) => gramsIn(spelling).toSorted((a, b) => countOf(a) - countOf(b))[0]);
    if (!grams.every((gram) => gram !== undefined)) continue;
    const count = Math.max(...grams.map(countOf));
    if (!rarest || count < rarest.count) rarest = { grams, count };
  }
  return rarest?.grams;
}

/** The trigrams of a text. */
function gramsIn(text: string): number[] {
  const grams: number[] = [];
  for (let at = 0; at + GRAM_LENGTH <= text.length; at += 1) {
    const codes = [foldedAt(text, at), foldedAt(text, at + 1), foldedAt(text, at + 2)];
    const [first = OTHER, second = OTHER, third = OTHER] = codes;
    if (first !== OTHER && second !== OTHER && third !== OTHER) grams.push(gramCode(first, second, third));
  }
  return grams;
}

const gramCode = (first: number, second: number, third: number): number => (first << 14) | (second << 7) | third;

function findGrams(text: string, isGram: Uint8Array, onGram: (gram: number) => void): void {
  let first = foldedAt(text, 0);
  let second = foldedAt(text, 1);
  for (let at = 2; at < text.length; at += 1) {
    const third = foldedAt(text, at);
    const gram = gramCode(first, second, third);
    if (isGram[gram % TABLE_SIZE] === 1) onGram(gram);
    first = second;
    second = third;
  }
}
