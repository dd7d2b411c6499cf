import { expect, test } from 'vitest';
import { pushMessageSchema } from '#backend/contract/push.ts';
import type { WaitingAlert } from '#backend/push/alert-backlog.ts';
import { newAlertMessage, newAlertsMessage } from '#backend/push/push-message.ts';

const alert = (more: Partial<WaitingAlert> = {}): WaitingAlert => ({
  seq: 1,
  id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  customer: null,
  alertType: null,
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
])('one alert is told by type and customer', (one, title, body) => {
  const message = newAlertMessage(one);
  expect(pushMessageSchema.parse(message)).toEqual({
    type: 'new_alert',
    alertId: one.id,
    title,
    body,
    tag: '01a1fce37dd072a88b4e6f9c68e7aa80',
    url: '/',
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
  for (const message of [newAlertMessage(one), newAlertsMessage([one, one], true)]) {
    // 4,096 bytes are the least that every push service takes (RFC 8030 section 7.2); encryption adds 103.
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(4096 - 103);
  }
});
