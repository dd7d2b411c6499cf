import { beforeEach, expect, test } from 'vitest';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { createLatencyReports } from './latency-reports.ts';
import type { PendingEvent } from './live-frames.ts';

let delivered: [milliseconds: number, origin: string][];
let shown: number[];
let reports: ReturnType<typeof createLatencyReports>;
beforeEach(() => {
  delivered = [];
  shown = [];
  reports = createLatencyReports({
    delivered: (seconds, origin) => delivered.push([Math.round(seconds * 1000), origin]),
    shown: (seconds) => shown.push(Math.round(seconds * 1000)),
  });
});

const newAlert = (id: string, readAt?: number, origin: PendingEvent['origin'] = 'here') =>
  ({ event: { type: 'new_alert', alert: { id }, readAt }, origin, text: jsonText('{}') }) as PendingEvent;
const page = () => ({ reportedAt: Number.NEGATIVE_INFINITY });
const saying = (alertId: unknown, afterMs: unknown) => JSON.stringify({ type: 'shown', alertId, afterMs });

test('each new alert of a webhook is measured, by where it was stored', () => {
  const greeting: PendingEvent = { event: 'greeting', origin: 'here', text: jsonText('{}') };
  reports.sent([greeting, newAlert('a', 95), newAlert('b', 60, 'elsewhere'), newAlert('of a replay')], 100);
  expect(delivered).toEqual([
    [5, 'here'],
    [40, 'elsewhere'],
  ]);
});

test('a page’s report counts on top of the server’s part', () => {
  reports.sent([newAlert('a', 95)], 100);
  reports.receive(page(), saying('a', 80), 200);
  expect(shown).toEqual([85]);
});

test('no report counts of more time than has passed, of an alert that was not sent, or of another form', () => {
  const reporting = page();
  reports.sent([newAlert('a', 95)], 100);
  for (const [alertId, afterMs] of [
    ['a', 101],
    ['b', 10],
    [1, 10],
    ...[-1, '10', null, 1e99].map((wrong) => ['a', wrong]),
  ])
    reports.receive(reporting, saying(alertId, afterMs), 200);
  for (const text of ['', '{', '[]', 'null', ' '.repeat(300) + saying('a', 10)]) reports.receive(reporting, text, 200);
  expect(shown).toEqual([]);
  reports.receive(reporting, saying('a', 100), 200);
  expect(shown).toHaveLength(1);
});

test('one report of a page counts in fifteen seconds, and none of an alert of long ago', () => {
  const [one, other] = [page(), page()];
  reports.sent([newAlert('a', 95)], 100);
  for (const reporting of [one, one, other]) reports.receive(reporting, saying('a', 80), 200);
  expect(shown).toHaveLength(2);
  reports.receive(one, saying('a', 80), 15_200);
  expect(shown).toHaveLength(3);
  reports.sent([newAlert('b', 70_095)], 70_100);
  reports.receive(one, saying('a', 80), 70_200);
  expect(shown).toHaveLength(3);
  reports.receive(one, saying('b', 80), 70_200);
  expect(shown).toHaveLength(4);
});

test('what is remembered does not grow with the alerts', () => {
  for (let at = 0; at < 10_000; at += 1) reports.sent([newAlert(`${at}`, at)], at);
  for (const id of ['0', '3999', '4000', '9999']) reports.receive(page(), saying(id, 0), 10_000);
  expect(shown).toHaveLength(2);
});
