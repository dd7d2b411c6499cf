import { expect, test } from 'vitest';
import { decodeChunk, encodeChunk, factsOf } from './chunk.ts';
import type { Fact } from './fact.ts';

const FACT: Fact = {
  id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  receivedAt: Date.parse('2026-11-21T12:00Z'),
  severity: 'critical',
  customer: 'Harbor & Finch',
  alertType: null,
  sourceId: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa90',
  ownerId: null,
  acceptMs: 1_500,
  completeMs: null,
  isResolvedFirst: true,
  repeats: 70_000,
  flapped: 3,
  window: 'Upgrade',
  problem: 2 ** 51 + 1,
};
const FACTS: readonly Fact[] = [
  FACT,
  { ...FACT, id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa81', severity: 'none', window: null, flapped: 0 },
  { ...FACT, id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa82', customer: null, flapped: 1 },
];

/** Bytes of a fact behind what counts flapping: its severity and its id. */
const BEHIND_BYTES = 17;
const FLAPPED_BYTES = 2;

/** A chunk as the release before wrote it, with another version in its head. */
function writtenBefore(version: number): Buffer {
  const data = encodeChunk(FACTS);
  const behind = data.length - BEHIND_BYTES * FACTS.length;
  const rest = Buffer.concat([data.subarray(0, behind - FLAPPED_BYTES * FACTS.length), data.subarray(behind)]);
  return Buffer.from(rest.toString('latin1').replace('"version":3', `"version":${version}`), 'latin1');
}

test('facts are the same in a chunk and out of it', () => {
  expect(factsOf(decodeChunk(encodeChunk(FACTS)))).toEqual(FACTS);
});

test('a chunk of the release before says all but what flapped, and one of a newer release cannot be read', () => {
  expect(factsOf(decodeChunk(writtenBefore(2)))).toEqual(FACTS.map((fact) => Object.assign({}, fact, { flapped: 0 })));
  expect(() => decodeChunk(writtenBefore(4))).toThrow('version 4');
});
