import { expect, test } from 'vitest';
import { MAX_WITHDRAWN, type PushMessage, pushMessageSchema } from '#backend/contract/push.ts';
import { noticeOfMember } from '#backend/contract/notices.ts';
import type { PendingAlert } from './push-audience.ts';
import {
  deliveryOf,
  newAlertMessage,
  newAlertsMessage,
  personalMessage,
  testMessage,
  withdrawalMessage,
} from './push-message.ts';

const alert = (more: Partial<PendingAlert> = {}): PendingAlert => ({
  seq: 1,
  id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  customer: null,
  alertType: null,
  sourceId: null,
  severity: 'none',
  ownerId: null,
  isTest: false,
  isBack: false,
  ...more,
});

test.each([
  [alert(), 'New alert received', 'A new webhook alert has arrived'],
  [alert({ customer: 'Nordwind' }), 'New alert received', 'Alert from Nordwind'],
  [
    alert({ customer: 'Harbor & Finch', alertType: 'order.failed' }),
    'New alert received: order.failed',
    'Alert from Harbor & Finch',
  ],
  [alert({ alertType: 'disk.full' }), 'New alert received: disk.full', 'A new webhook alert has arrived'],
  [
    alert({ alertType: 'disk.full', isTest: true }),
    'Test: New alert received: disk.full',
    'A new webhook alert has arrived',
  ],
  [alert({ alertType: 'disk.full', isBack: true }), 'Snoozed alert is back: disk.full', 'Its snooze has ended'],
  [alert({ customer: 'Nordwind', isBack: true }), 'Snoozed alert is back', 'Alert from Nordwind'],
])('one alert is shown by type and customer', (one, title, body) => {
  const message = newAlertMessage(one);
  expect(pushMessageSchema.parse(message)).toEqual({
    type: 'new_alert',
    alertId: one.id,
    title,
    body,
    tag: '01a1fce37dd072a88b4e6f9c68e7aa80',
    url: '/alert/01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  });
});

test.each([
  [[null, null], false, '2 new alerts'],
  [['Nordwind', null, 'Nordwind'], false, '3 new alerts from Nordwind'],
  [['Nordwind', 'acme', null], false, '3 new alerts from 2 customers'],
  [['Nordwind', 'acme'], true, '2+ new alerts from 2 customers'],
] as const)('many are counted: %j', (customers, isMore, body) => {
  const message = newAlertsMessage(
    customers.map((customer, seq) => alert({ seq, customer })),
    isMore,
  );
  expect(pushMessageSchema.parse(message)).toMatchObject({ type: 'new_alerts', count: customers.length, isMore, body });
});

test('names are one line, read in one direction, and end', () => {
  const { title, body } = newAlertMessage(
    alert({ alertType: ' a\nb\u0000\u202Ec\u2066d ', customer: `${'𝔊'.repeat(80)}!` }),
  );
  expect(title).toBe('New alert received: a b c d');
  expect(body).toBe(`Alert from ${'𝔊'.repeat(79)}…`);
});

test.each(['𝔊', '"', '\\', '\ud800', '\u0000', 'ü'])('no name of %j makes a message too large to send', (character) => {
  const name = character.repeat(200);
  const one = alert({ customer: name, alertType: name });
  const withdrawals = Array.from({ length: MAX_WITHDRAWN }, () => ({ alertId: one.id, acceptedBy: name }));
  const messages = [
    newAlertMessage(one),
    newAlertsMessage([one, one], true),
    personalMessage(one.id, noticeOfMember({ id: one.id, kind: 'reassigned', alertId: one.id, ...noticed(name) })),
    withdrawalMessage(withdrawals.slice(0, 1)),
    withdrawalMessage(withdrawals),
  ];
  for (const message of messages) {
    expect(pushMessageSchema.safeParse(message).success).toBe(true);
    // 4,096 bytes are the least that every push service takes (RFC 8030 section 7.2); encryption adds 103.
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(4096 - 103);
  }
});

const noticed = (name: string) => ({ alertTitle: name, byName: name, toName: `to ${name}`, text: name });

const topicOf = (message: PushMessage) => deliveryOf(message).topic;
const accepted = (alertId: string) => ({ alertId, acceptedBy: 'Anna Berg' });

test.each([
  ['accepted', [accepted('a-1')], 'Alert accepted', 'Accepted by Anna Berg'],
  ['deleted', [{ alertId: 'a-1', acceptedBy: null }], 'Alert deleted', 'Removed from the inbox'],
  ['completed', [{ alertId: 'a-1', acceptedBy: null, isCompleted: true }], 'Alert completed', 'Nothing is left to do'],
  ['several', [accepted('a-1'), accepted('a-2')], 'Alerts accepted or deleted', '2 alerts removed from the inbox'],
])('what is taken back says why: %s', (_what, withdrawals, title, body) => {
  const message = withdrawalMessage(withdrawals);
  const alertIds = withdrawals.map(({ alertId }) => alertId);
  expect(pushMessageSchema.parse(message)).toEqual({
    type: 'alert_withdrawn',
    alertIds,
    title,
    body,
    tag: 'a1',
    url: '/',
  });
});

test('a withdrawal replaces the news that it withdraws, where that was not delivered yet; one of several does not', () => {
  expect(topicOf(withdrawalMessage([accepted('a-1')]))).toBe(topicOf(newAlertMessage(alert({ id: 'a-1' }))));
  expect(topicOf(withdrawalMessage([accepted('a-1'), accepted('a-2')]))).toBeUndefined();
});

test('news keeps for a day, a withdrawal that takes its place for an hour, every other one for as long as the news, a test for a minute', () => {
  const day = 24 * 60 * 60;
  expect(deliveryOf(newAlertMessage(alert()))).toMatchObject({ TTL: day, urgency: 'high' });
  expect(deliveryOf(newAlertsMessage([alert(), alert()], false))).toMatchObject({ TTL: day, urgency: 'high' });
  expect(deliveryOf(withdrawalMessage([accepted('a')]))).toMatchObject({ TTL: 3_600, urgency: 'normal' });
  expect(deliveryOf(withdrawalMessage([accepted('a')], 2))).toMatchObject({ TTL: day, urgency: 'normal' });
  expect(deliveryOf(withdrawalMessage([accepted('a'), accepted('b')]))).toMatchObject({ TTL: day, urgency: 'normal' });
  expect(deliveryOf(testMessage())).toMatchObject({ TTL: 60, urgency: 'high' });
});
