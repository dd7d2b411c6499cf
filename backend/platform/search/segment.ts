import { ASCII_CODES, eachGramCode } from './gram-codes.ts';

/** Alerts of one segment of the index. A set of them fits into 512 bytes, one bit for each. */
export const SEGMENT_ALERTS = 4_096;
export const SET_BYTES = SEGMENT_ALERTS / 8;

/** Where a segment's first alert stands among the positions of all segments. */
export const firstPositionOf = (segment: number): number => segment * SEGMENT_ALERTS;

/** The code of a trigram or a name, and the positions of the alerts that have it, as they are stored. */
export type Posting = [code: number, positions: Buffer];

/** What is gathered for a segment, trigram by trigram. */
export interface SegmentBuilder {
  /** Takes the text of the alert at the next position, and the codes of its names. */
  add(position: number, text: string, names: readonly number[]): void;
  /** What was gathered, in the order of the codes; the builder is empty after it. */
  take(): Posting[];
}

/** Makes a builder; it takes 8 MiB, so one is kept. */
export function createSegmentBuilder(): SegmentBuilder {
  const asciiSlots = new Int32Array(ASCII_CODES);
  const otherSlots = new Map<number, number>();
  // Slot 0 stands for none. The last position of each slot stands apart: it is looked at for every character.
  let codes: number[] = [0];
  let lastPositions: number[] = [-1];
  let positionsOf: number[][] = [[]];
  let current = 0;

  const addSlot = (code: number): number => {
    const slot = codes.push(code) - 1;
    lastPositions.push(-1);
    positionsOf.push([]);
    if (code < ASCII_CODES) asciiSlots[code] = slot;
    else otherSlots.set(code, slot);
    return slot;
  };

  const takeCode = (code: number): void => {
    const slot = (code < ASCII_CODES ? asciiSlots[code] : otherSlots.get(code)) || addSlot(code);
    if (lastPositions[slot] === current) return;
    lastPositions[slot] = current;
    positionsOf[slot]?.push(current);
  };

  return {
    add(position, text, names) {
      current = position;
      eachGramCode(text, takeCode);
      for (const code of names) takeCode(code);
    },
    take() {
      const postings = codes
        .map((code, slot): Posting => [code, storedPositions(positionsOf[slot] ?? [])])
        .slice(1)
        .sort(([one], [other]) => one - other);
      for (const code of codes) if (code < ASCII_CODES) asciiSlots[code] = 0;
      otherSlots.clear();
      codes = [0];
      lastPositions = [-1];
      positionsOf = [[]];
      return postings;
    },
  };
}

/** Positions as they are stored, whichever is shorter: two bytes for each, or one bit for each of the segment. */
function storedPositions(positions: readonly number[]): Buffer {
  if (positions.length * 2 < SET_BYTES) {
    const bytes = Buffer.allocUnsafe(positions.length * 2);
    for (const [number, position] of positions.entries()) bytes.writeUInt16LE(position, number * 2);
    return bytes;
  }
  const bytes = Buffer.alloc(SET_BYTES);
  for (const position of positions) bytes[position >> 3] = (bytes[position >> 3] ?? 0) | (1 << (position & 7));
  return bytes;
}

/** Stored positions with one more of them; undefined when it is among them. */
export function withPosition(stored: Buffer | undefined, position: number): Buffer | undefined {
  const positions = stored ? positionsIn(setOf(stored)) : [];
  return positions.includes(position) ? undefined : storedPositions([...positions, position].sort((a, b) => a - b));
}

/** A set of positions: one bit for each. */
export type PositionSet = Uint8Array;

/** Stored positions as a set. */
export function setOf(stored: Buffer): PositionSet {
  if (stored.length === SET_BYTES) return stored;
  const set = new Uint8Array(SET_BYTES);
  for (let at = 0; at + 1 < stored.length; at += 2) {
    const position = stored.readUInt16LE(at);
    set[position >> 3] = (set[position >> 3] ?? 0) | (1 << (position & 7));
  }
  return set;
}

/** The positions in a set, lowest first. */
export function positionsIn(set: PositionSet): number[] {
  const positions: number[] = [];
  for (const [at, bits] of set.entries()) {
    for (let bit = 0; bits >> bit > 0; bit += 1) if ((bits >> bit) & 1) positions.push(at * 8 + bit);
  }
  return positions;
}

/** What a question asks a segment: of every text one of its spellings, of a spelling all its trigrams; names are texts of one code. */
export type SegmentQuestion = readonly (readonly (readonly number[])[])[];

/** Positions of a segment whose alerts have what is asked for, as far as trigrams show. */
export function answerOf(question: SegmentQuestion, postings: ReadonlyMap<number, Buffer>): PositionSet | undefined {
  let all: PositionSet | undefined;
  for (const spellings of question) {
    let some: PositionSet | undefined;
    for (const codes of spellings) some = union(some, intersectionOf(codes, postings));
    if (!some) return undefined;
    all = all ? intersect(all, some) : some;
  }
  return all;
}

function intersectionOf(codes: readonly number[], postings: ReadonlyMap<number, Buffer>): PositionSet | undefined {
  let all: PositionSet | undefined;
  for (const code of codes) {
    const stored = postings.get(code);
    if (!stored) return undefined;
    all = all ? intersect(all, setOf(stored)) : setOf(stored);
  }
  return all;
}

function intersect(one: PositionSet, other: PositionSet): PositionSet {
  const both = new Uint8Array(SET_BYTES);
  for (let at = 0; at < SET_BYTES; at += 1) both[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return both;
}

function union(one: PositionSet | undefined, other: PositionSet | undefined): PositionSet | undefined {
  if (!one || !other) return one ?? other;
  const either = new Uint8Array(SET_BYTES);
  for (let at = 0; at < SET_BYTES; at += 1) either[at] = (one[at] ?? 0) | (other[at] ?? 0);
  return either;
}

/** Share of alerts from which on a trigram is common: to look at the few that it would exclude costs less than to ask for it. */
const COMMON_SHARE = 3 / 4;

/**
 * A question without the codes that nearly all alerts of these segments have; the rarest one stays where all are common.
 * What it finds in other segments is all that the whole question finds there, and little more.
 */
export function withoutCommon(
  question: SegmentQuestion,
  segments: readonly ReadonlyMap<number, Buffer>[],
): SegmentQuestion {
  const counts = new Map<number, number>();
  for (const code of new Set(question.flat(2))) {
    counts.set(
      code,
      segments.reduce((sum, postings) => sum + countPositions(postings.get(code)), 0),
    );
  }
  const most = COMMON_SHARE * SEGMENT_ALERTS * segments.length;
  const isCommon = (code: number): boolean => (counts.get(code) ?? 0) > most;
  const rarest = (codes: readonly number[]): number[] =>
    codes.toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0)).slice(0, 1);
  const left = question
    .map((spellings) => spellings.map((codes) => codes.filter((code) => !isCommon(code))))
    .filter((spellings) => spellings.every((codes) => codes.length > 0));
  return left.length > 0 ? left : question.slice(0, 1).map((spellings) => spellings.map(rarest));
}

/** How many positions are stored in a posting. */
function countPositions(stored: Buffer | undefined): number {
  if (stored?.length !== SET_BYTES) return (stored?.length ?? 0) / 2;
  let count = 0;
  for (const bits of stored) for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
}
