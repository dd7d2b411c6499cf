import { describe, expect, test } from 'vitest';
import { NO_PROBLEM } from '#backend/alerts/alert/alert.ts';
import { readFields } from '#backend/intake/adapters/opsgenie-payload.ts';
import { readQuery } from './query.ts';
import { type ReadAlert, tinyIdOf } from './read-alerts.ts';

const ALERT: ReadAlert = {
  ...NO_PROBLEM,
  id: '01a2194e-025f-70e1-9bea-f6ed7586f3ff',
  receivedAt: Date.UTC(2026, 4, 17),
  status: 'pending',
  ownerId: null,
  title: 'Disk of db-7 is full',
  severity: 'high',
  dedupKey: 'disk/db-7',
  occurrences: 3,
  fields: readFields(
    JSON.stringify({ alias: 'disk/db-7', tags: [' db '], entity: 'Nordwind', details: { host: 'db-7' } }),
  ),
};

describe('a query', () => {
  test.each([
    ['', true],
    ['status: open', true],
    ['status : closed', false],
    ['status=OPEN', true],
    ['NOT status: closed', true],
    ['acknowledged: false AND snoozed: false', true],
    ['acknowledged: true OR priority: P2', true],
    ['(acknowledged: true OR priority: P2) AND count > 3', false],
    ['count >= 3 count < 4', true],
    ['priority: (P1 OR P2)', true],
    ['priority: (NOT P1 AND NOT P3)', true],
    ['priority > P3', true],
    ['priority > P2', false],
    ['alias: "disk/db-7"', true],
    ['alias: disk', false],
    ['alias: disk*7', true],
    ['alias: disk*8', false],
    ['message: "OF DB-7"', true],
    ['message: disk*full', true],
    ['tag: db', true],
    ['tag: d', false],
    ['entity: nord* details.host: db-7', true],
    ['details.toString: x', false],
    ['createdAt > 17-05-2026', false],
    ['createdAt >= 2026-05-17', true],
    ['createdAt < 1800000000000', true],
    ['full', true],
    ['"db-7 is" NOT empty', true],
    [`tinyId: ${tinyIdOf(ALERT.id)}`, true],
  ])('%s: %s', (query, expected) => {
    expect(readQuery(query).matches(ALERT)).toBe(expected);
  });

  test.each([
    ['status: open AND tag: x', true],
    ['tag: x (status: open)', true],
    ['status: open OR tag: x', false],
    ['NOT status: open', false],
    ['message: "status: open"', false],
    ['status: (open OR closed)', false],
  ])('%s leaves closed alerts out: %s', (query, expected) => {
    expect(readQuery(query).isOpenOnly).toBe(expected);
  });

  test.each([
    'status:',
    'status: (open',
    'status: open)',
    '"open',
    'constructor: x',
    'alias > 3',
    'count: many',
    `${'('.repeat(400)}x`,
    'a '.repeat(60),
    'x'.repeat(1_001),
  ])('%s is refused with a sentence', (query) => {
    expect(() => readQuery(query)).toThrow(/\.$/);
  });
});
