import { describe, expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { noticeOf } from './alert-notice.ts';
import { listOfAlert } from './list-of-alert.ts';
import { partsOf } from './marked-text.tsx';
import { findFields, panelFieldsOf, rawPayloadsIn } from './panel-fields.ts';
import { courseOf } from './problem-course.ts';

const START = Date.UTC(2026, 10, 21, 9, 0);
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

const alertOf = (more: Partial<Alert> = {}): Alert => ({
  id: '1',
  version: 1,
  payload: {},
  extraData: {},
  customer: 'Nordwind',
  alertType: 'disk.full',
  timestamp: at(0),
  status: 'pending',
  url: '/webhook',
  title: 'Disk full',
  severity: 'critical',
  state: 'firing',
  occurrences: 1,
  lastSeenAt: at(0),
  ...more,
});

const entry = (minutes: number, more: Partial<HistoryEntry>): HistoryEntry => ({
  id: String(minutes),
  action: 'received',
  userDisplayName: 'Alertmanager',
  createdAt: at(minutes),
  ...more,
});

describe('the list of an alert', () => {
  const mine = { status: 'accepted', ownerId: 'me' } as const;
  const others = { status: 'accepted', ownerId: 'other' } as const;
  const snoozedUntil = at(60);

  it.each([
    [{}, 'user', '/'],
    [{ snoozedUntil }, 'user', '/snoozed'],
    [mine, 'user', '/my-alerts'],
    [mine, 'admin', '/my-alerts'],
    [{ ...mine, status: 'completed' }, 'user', '/my-alerts'],
    [{ ...mine, folderId: 'f1' }, 'user', '/folder/f1'],
    [{ ...mine, folderId: 'f1', snoozedUntil }, 'user', '/snoozed'],
    [others, 'admin', '/admin/alerts'],
    [{ ...others, snoozedUntil, folderId: 'f2' }, 'super_user', '/admin/alerts'],
    [others, 'user', undefined],
  ] as const)('of %j for a %s is %s', (more, role, path) => {
    expect(listOfAlert(alertOf(more), { id: 'me', role })).toBe(path);
  });
});

describe('the course of a problem', () => {
  it('has a tick for each occurrence and a part for each severity', () => {
    const history = [
      entry(30, { action: 'severity_change', previousSeverity: 'warning', newSeverity: 'critical' }),
      entry(15, { action: 'repeated', occurrences: 2 }),
      entry(0, {}),
    ];
    const course = courseOf(alertOf({ occurrences: 3, lastSeenAt: at(45) }), history, START + 60 * MINUTE);
    expect(course?.ticks).toEqual([0, 0.25, 0.75]);
    expect(course?.segments.map(({ from, to, severity }) => [from, to, severity])).toEqual([
      [0, 0.5, 'warning'],
      [0.5, 1, 'critical'],
    ]);
    expect(course?.end).toBe('now');
  });

  it('ends where it was resolved, and is outlined while it was acknowledged', () => {
    const history = [entry(40, { action: 'resolved' }), entry(10, { action: 'acknowledged' }), entry(0, {})];
    const resolved = alertOf({ state: 'resolved', resolvedAt: at(40), lastSeenAt: at(40) });
    const course = courseOf(resolved, history, START + 500 * MINUTE);
    expect(course?.end).toEqual(new Date(at(40)));
    expect(course?.resolutions).toEqual([1]);
    expect(course?.segments.map(({ from, isAcknowledged }) => [from, isAcknowledged])).toEqual([
      [0, false],
      [0.25, true],
    ]);
  });

  it('ends no earlier than its last report, where the clock of this device is behind the server’s', () => {
    const history = [entry(20, { action: 'repeated' }), entry(0, {})];
    expect(courseOf(alertOf({ lastSeenAt: at(20) }), history, START - MINUTE)?.ticks).toEqual([0, 1]);
    expect(courseOf(alertOf(), [entry(0, {})], START - MINUTE)?.ticks).toEqual([0]);
  });

  it('has no part that lasted no time, and is acknowledged no more once it opened again', () => {
    const history = [
      entry(30, { action: 'reopened' }),
      entry(15, { action: 'acknowledged' }),
      entry(0, { action: 'severity_change', previousSeverity: 'low', newSeverity: 'high' }),
    ];
    const course = courseOf(alertOf({ severity: 'high', lastSeenAt: at(30) }), history, START + 60 * MINUTE);
    expect(
      course?.segments.map(({ from, to, severity, isAcknowledged }) => [from, to, severity, isAcknowledged]),
    ).toEqual([
      [0, 0.25, 'high', false],
      [0.25, 0.5, 'high', true],
      [0.5, 1, 'high', false],
    ]);
  });

  it('is acknowledged no more once its sender took that back, or reports it as firing again', () => {
    const acknowledged = [entry(10, { action: 'acknowledged' }), entry(0, {})];
    const partsAfter = (action: HistoryEntry['action'], state: Alert['state']) =>
      courseOf(
        alertOf({ state, lastSeenAt: at(20) }),
        [entry(20, { action }), ...acknowledged],
        START + 40 * MINUTE,
      )?.segments.map(({ from, isAcknowledged }) => [from, isAcknowledged]);
    const ended = [
      [0, false],
      [0.25, true],
      [0.5, false],
    ];
    expect(partsAfter('unacknowledged', 'firing')).toEqual(ended);
    expect(partsAfter('repeated', 'firing')).toEqual(ended);
    // Counted in an entry from before the acknowledgement.
    expect(partsAfter('amended', 'firing')).toEqual(ended);
    expect(partsAfter('repeated', 'acknowledged')).toEqual(ended.slice(0, 2));
  });

  it('spreads the repeats that one entry counts over its hour', () => {
    const history = [entry(0, { action: 'repeated', occurrences: 3 })];
    expect(courseOf(alertOf({ lastSeenAt: at(100) }), history, START + 100 * MINUTE)?.ticks).toEqual([0, 0, 0.3, 0.6]);
  });

  it('counts intervals where ticks would be too many, and is none of what has no lifecycle', () => {
    const many = [entry(0, { action: 'repeated', occurrences: 200 })];
    const course = courseOf(alertOf({ lastSeenAt: at(60) }), many, START + 60 * MINUTE);
    expect(course?.ticks).toEqual([]);
    expect(Math.max(...(course?.bars ?? []).map(({ height }) => height))).toBe(1);
    expect(courseOf(alertOf({ state: 'event' }), [], START)).toBeUndefined();
  });
});

describe('fields', () => {
  const alert = alertOf({
    payload: { status: 'firing', labels: { alertname: 'Disk', instance: 'db-7' }, list: [1, 2], empty: {} },
    extraData: { source: 'query' },
  });

  it('are every value by its path, those of the card first', () => {
    const names = panelFieldsOf(alert).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['empty', 'labels.alertname', 'labels.instance', 'list', 'source', 'status']);
    expect(names[0]).toBe('labels.instance');
  });

  it('have sentences before single values', () => {
    const text = 'The backup of db-7 failed\nbecause the disk is full';
    const payload = { a: 1, b: 2, c: 3, d: 4, e: 5, references: [], text };
    expect(panelFieldsOf(alertOf({ payload }))[4]).toMatchObject({ name: 'text' });
  });

  it('are found by name and value in whatever case', () => {
    const fields = panelFieldsOf(alert);
    expect(findFields(fields, 'DB-7').map(({ name }) => name)).toEqual(['labels.instance']);
    expect(findFields(fields, 'STATUS').map(({ name }) => name)).toEqual(['status']);
    expect(findFields(fields, ' ')).toHaveLength(6);
  });

  it('mark what is found', () => {
    expect(partsOf('Postgres, postgres', 'POST').filter(({ isHit }) => isHit)).toHaveLength(2);
    expect(partsOf('none', 'x')).toEqual([{ at: 0, part: 'none', isHit: false }]);
  });
});

it('lays the payload out with every digit as it was received', () => {
  const answer = '{"id":"1","payload":{"b":1.50,"2":820982911946154508123,"1":1e400},"extraData":{}}';
  expect(rawPayloadsIn(answer)).toEqual([
    { label: 'Payload', text: '{\n  "b": 1.50,\n  "2": 820982911946154508123,\n  "1": 1e400\n}' },
  ]);
  expect(rawPayloadsIn(answer.replace('}}', '},"latestPayload":{"c":2.0}}')).map(({ label }) => label)).toEqual([
    'Latest delivery',
    'First delivery',
  ]);
});

it('says what became of an alert that is open', () => {
  const facts = { isDeleted: false, isUnavailable: false, takenBy: undefined, isMine: false, seesAll: false };
  expect(noticeOf(alertOf(), facts)).toBeUndefined();
  expect(noticeOf(alertOf(), { ...facts, isDeleted: true })).toBe('This alert was deleted.');
  const taken = alertOf({ status: 'accepted', ownerId: '2', ownerName: 'Ann Ashby' });
  expect(noticeOf(taken, facts)).toMatch(/^Accepted by Ann Ashby\./);
  expect(noticeOf(taken, { ...facts, seesAll: true })).toBe('This alert belongs to Ann Ashby.');
  expect(noticeOf(taken, { ...facts, isMine: true })).toBeUndefined();
  const resolved = alertOf({ status: 'completed', state: 'resolved' });
  expect(noticeOf(resolved, facts)).toMatch(/^Resolved by its sender/);
  expect(noticeOf(alertOf({ status: 'completed' }), facts)).toMatch(/^This alert was completed before/);
  expect(noticeOf(alertOf(), { ...facts, isUnavailable: true })).toMatch(/no longer available/);
  const unavailable = { ...facts, isUnavailable: true, takenBy: 'Ann Ashby' };
  expect(noticeOf(alertOf(), unavailable)).toMatch(/^Accepted by Ann Ashby\./);
  expect(noticeOf(alertOf(), { ...unavailable, isUnavailable: false })).toBeUndefined();
});
