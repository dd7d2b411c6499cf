import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { ASIDE_COST, type FieldName, type Place, type Role, readFieldName } from './field-names.ts';

/** A field that says something, with how far it may speak for the alert. */
export interface Field {
  name: FieldName;
  value: JsonValue;
  /** A text, trimmed, or a number as it was written; empty for what is true or false. */
  text: string;
  /** Rank of its name and of where it stands: the lowest of a role counts. */
  cost: number;
  /** How deep it stands; 0 in the alert itself. */
  depth: number;
  /** The words by which the objects around it are called, from the outside. */
  within: readonly string[];
}

/** What was found in a body, by role. */
export type Survey = Readonly<Record<Role, readonly Field[]>>;

const WATCHED = new Set(['check', 'monitor', 'site', 'target', 'test', 'website', 'domain', 'endpoint', 'host']);
const isWatched = (word: string): boolean => WATCHED.has(word);

/** Whether an address is that of something that is watched, which may have no other name. */
export const isOfWatched = ({ within, name }: Field): boolean => within.some(isWatched) || name.words.some(isWatched);

/** How deep, in how many objects and at how many fields is looked. No sender's news stands deeper. */
const MAX_DEPTH = 3;
const MAX_OBJECTS = 60;
const MAX_FIELDS = 1_000;
/** Fields of one object, and pairs of a list of keys and values. */
const MAX_OF_OBJECT = 200;
const MAX_PAIRS = 20;

/** What a step into an object costs. */
const STEP: Readonly<Record<Place, number>> = { core: 2, thing: 4, neutral: 4, aside: ASIDE_COST };

interface Visit {
  object: JsonValue;
  depth: number;
  cost: number;
  within: readonly string[];
  /** Whether it is something that the alert is about: its own texts describe it, not what happened. */
  isThing: boolean;
}

/** A thing's description does not say what happened to it. */
const OF_THING = 12;

/**
 * Looks through an object and, level by level, through those in it, and the first item of lists: each field whose name says
 * something, the best first.
 */
export function survey(root: JsonValue): Survey {
  const found: Record<Role, Field[]> = {
    sentence: [],
    name: [],
    state: [],
    flag: [],
    severity: [],
    color: [],
    id: [],
    type: [],
    link: [],
    time: [],
  };
  const queue: Visit[] = [{ object: unwrapped(root), depth: 0, cost: 0, within: [], isThing: false }];
  let left = MAX_FIELDS;
  for (let at = 0; at < queue.length && at < MAX_OBJECTS && left > 0; at += 1) {
    const visit = queue[at]!;
    const { object } = visit;
    const count = Math.min(object.size, MAX_OF_OBJECT, left);
    left -= count;
    for (let index = 0; index < count; index += 1) {
      const raw = object.nameAt(index);
      const name = readFieldName(raw);
      const isNested = object.isNestedAt(index);
      if (!isNested && name.role === undefined) continue;
      const value = object.memberAt(index, raw);
      if (!isNested) take(found, visit, name, value);
      else if (visit.depth < MAX_DEPTH) enter(found, queue, visit, name, value);
    }
  }
  for (const role in found) sortByCost(found[role as Role]);
  return found;
}

/** Puts the best first. Level by level they mostly are in this order already. */
function sortByCost(fields: Field[]): void {
  for (let at = 1; at < fields.length; at += 1) {
    if (fields[at]!.cost < fields[at - 1]!.cost) {
      fields.sort((a, b) => a.cost - b.cost);
      return;
    }
  }
}

/** What stands in an object that holds one other and nothing beside it. */
function unwrapped(root: JsonValue): JsonValue {
  if (root.size !== 1 || !root.isNestedAt(0)) return root;
  const only = root.memberAt(0, root.nameAt(0));
  return only.isObject ? only : root;
}

function take(
  found: Record<Role, Field[]>,
  visit: Visit,
  name: FieldName,
  value: JsonValue,
  part?: string | undefined,
): void {
  const { role, rank } = name;
  if (role === undefined) return;
  const isFlag = role === 'flag';
  const text = isFlag ? '' : (part ?? value.string);
  if (text === undefined || (isFlag && value.boolean === undefined)) return;
  const extra = visit.isThing && role === 'sentence' && name.words.at(-1) !== 'output' ? OF_THING : 0;
  const { depth, within } = visit;
  found[role].push({ name, value, text, cost: visit.cost + rank + extra, depth, within });
}

function enter(found: Record<Role, Field[]>, queue: Visit[], visit: Visit, name: FieldName, value: JsonValue): void {
  const inner: Visit = {
    object: value,
    depth: visit.depth + 1,
    cost: visit.cost + STEP[name.place] + (name.place === 'aside' ? 0 : name.words.length - 1),
    within: [...visit.within, ...name.words],
    isThing: name.place === 'thing',
  };
  if (value.isObject) {
    queue.push(inner);
    return;
  }
  const pairs = pairsOf(value);
  for (const { key, value: of, text } of pairs) take(found, { ...inner, isThing: false }, readFieldName(key), of, text);
  if (pairs.length > 0) return;
  for (const [index, item] of value.items(isCard(name) ? MAX_PARTS : 1).entries()) {
    if (item.isObject) queue.push({ ...inner, object: item, cost: inner.cost + index * 2 });
  }
}

/** Lists of which each item says something of the same alert: cards of chats are made of such. */
const CARDS = new Set(['blocks', 'body', 'sections', 'elements']);
const isCard = ({ words }: FieldName): boolean => words.length === 1 && CARDS.has(words[0]!);
const MAX_PARTS = 6;

/** A key and its value. */
interface Pair {
  key: string;
  value: JsonValue;
  /** The part of the value that is meant, where it is not all of it. */
  text?: string;
}

/** Chats have keys in bold before their values, in one text: `*Host:* db-7`, with a line break or a space. */
const LABELLED = /^\*{1,2}([^*\n]{1,40}?):?\*{1,2}:?\s+(\S[^\n]*)$/;

function labelledText(value: JsonValue | undefined): Pair | undefined {
  const [, key, text] = LABELLED.exec((value?.isString ? value.string : undefined) ?? '') ?? [];
  return value && key !== undefined && text !== undefined ? { key, value, text } : undefined;
}

/** The members of a list of keys and values, as many senders write what belongs to an alert; empty for any other list. */
function pairsOf(list: JsonValue): Pair[] {
  const pairs: Pair[] = [];
  for (const item of list.items(MAX_PAIRS)) {
    if (!item.isObject) return [];
    const value = item.get('value');
    const labelled = value === undefined ? labelledText(item.get('text')) : undefined;
    if (labelled) {
      pairs.push(labelled);
      continue;
    }
    const key = (item.get('key') ?? item.get('name') ?? item.get('title') ?? item.get('label'))?.string;
    if (value === undefined || key === undefined) return [];
    pairs.push({ key, value });
  }
  return pairs;
}
