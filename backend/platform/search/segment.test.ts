import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedGramCodes, eachGramCode, nameCode } from './gram-codes.ts';
import {
  SEGMENT_ALERTS,
  type SegmentBuilder,
  type SegmentQuestion,
  answerOf,
  createSegmentBuilder,
  positionsIn,
  setOf,
  withPosition,
  withoutCommon,
} from './segment.ts';

const postingsOf = (builder: SegmentBuilder, texts: readonly string[]) => {
  for (const [position, text] of texts.entries()) builder.add(position, text, []);
  return new Map(builder.take());
};
const positionsOf = (postings: ReadonlyMap<number, Buffer>, ...sought: string[][]): number[] => {
  const set = answerOf(
    sought.map((spellings) => spellings.map(askedGramCodes)),
    postings,
  );
  return set ? positionsIn(set) : [];
};

test('finds the alerts that have every text in one of its spellings', () => {
  const postings = postingsOf(createSegmentBuilder(), ['disk full', 'disk empty', 'le disque', 'müller', '']);
  expect(positionsOf(postings, ['disk'])).toEqual([0, 1]);
  expect(positionsOf(postings, ['disk'], ['full'])).toEqual([0]);
  expect(positionsOf(postings, ['disk', 'disque'])).toEqual([0, 1, 2]);
  expect(positionsOf(postings, ['müller'])).toEqual([3]);
  expect(positionsOf(postings, ['nothing'])).toEqual([]);
});

test('finds the alerts that have a name, with a text or without', () => {
  const builder = createSegmentBuilder();
  builder.add(0, 'disk full', [nameCode('customer', 'Nordwind'), nameCode('alert_type', 'disk')]);
  builder.add(1, 'disk empty', [nameCode('customer', 'disk')]);
  builder.add(2, 'network', [nameCode('customer', 'Nordwind ')]);
  const postings = new Map(builder.take());
  const find = (...question: number[][][]) => positionsIn(answerOf(question, postings) ?? new Uint8Array());
  expect(find([[nameCode('customer', 'Nordwind')]])).toEqual([0, 2]);
  expect(find([[nameCode('alert_type', 'disk')]])).toEqual([0]);
  expect(find([[nameCode('customer', 'Nordwind')], [nameCode('customer', 'disk')]])).toEqual([0, 1, 2]);
  expect(find([[nameCode('customer', 'Nordwind')]], [askedGramCodes('disk')])).toEqual([0]);
});

test('a builder is empty once it was taken', () => {
  const builder = createSegmentBuilder();
  postingsOf(builder, ['one disk', 'Größe']);
  expect(positionsOf(postingsOf(builder, ['another']), ['disk'])).toEqual([]);
  expect(builder.take()).toEqual([]);
});

const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🔥', '"', ' ') }));

test('whatever an alert contains, it is among what is found', () => {
  expect.hasAssertions();
  const builder = createSegmentBuilder();
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (texts, which, from, length) => {
        const postings = postingsOf(builder, texts);
        const position = which % texts.length;
        const whole = texts[position] ?? '';
        const part = whole.slice(from % (whole.length + 1)).slice(0, 3 + (length % 40));
        fc.pre(part.length >= 3);
        expect(positionsOf(postings, [part])).toContain(position);
      },
    ),
  );
});

const questionOf = (...sought: string[][]) => sought.map((spellings) => spellings.map(askedGramCodes));

test('what nearly all alerts have is not asked for, and everything is found all the same', () => {
  const builder = createSegmentBuilder();
  for (let position = 0; position < SEGMENT_ALERTS; position += 1) {
    const words = [position % 100 === 0 ? '' : 'incident', position % 2 === 0 ? 'even' : 'odd', `no-${position}`];
    builder.add(position, words.join(' '), []);
  }
  const postings = new Map(builder.take());
  const shorter = (...sought: string[][]) => withoutCommon(questionOf(...sought), [postings]);
  expect(shorter(['incident'], ['even'])).toEqual(questionOf(['even']));
  expect(shorter(['incident', 'even'], ['odd'])).toEqual(questionOf(['odd']));
  expect(shorter(['even', 'nothing'])).toEqual(questionOf(['even', 'nothing']));
  // Where all are common the rarest trigram of each spelling stays.
  expect(shorter(['incident']).map((spellings) => spellings.map(({ length }) => length))).toEqual([[1]]);
  const positionsFor = (question: SegmentQuestion) => positionsIn(answerOf(question, postings) ?? new Uint8Array());
  const whole = positionsFor(questionOf(['incident'], ['even'], ['no-1']));
  expect(whole.length).toBeGreaterThan(100);
  expect(positionsFor(shorter(['incident'], ['even'], ['no-1']))).toEqual(expect.arrayContaining(whole));
});

test('positions are kept, few or many, and one can be added', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(SEGMENT_ALERTS - 1), { minLength: 1, maxLength: 700 }), (some) => {
      let stored: Buffer | undefined;
      for (const position of some) stored = withPosition(stored, position) ?? stored;
      expect(stored && positionsIn(setOf(stored))).toEqual(some.toSorted((a, b) => a - b));
      expect(withPosition(stored, some[0] ?? 0)).toBeUndefined();
      expect(stored?.length).toBeLessThanOrEqual(SEGMENT_ALERTS / 8);
    }),
    { numRuns: 20 },
  );
});

const codesIn = (sought: string) => {
  const codes: number[] = [];
  eachGramCode(sought, (code) => codes.push(code));
  return codes;
};

test('codes are the same for the same three characters alone, as far as they are ASCII', () => {
  expect(new Set(codesIn('abcabd')).size).toBe(4);
  expect(codesIn('ab')).toEqual([]);
  expect(codesIn('äöü')).toEqual(codesIn('äöü'));
  expect(askedGramCodes('a long text of which a few parts are enough').length).toBeLessThan(10);
});
