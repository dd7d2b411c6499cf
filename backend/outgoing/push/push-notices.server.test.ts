import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let service: PushService;
let server: TestServer;
let admin: TestClient;
let anna: TestClient;
let ben: TestClient;
let forAnna: Device;
let forBen: Device;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
beforeEach(async () => {
  server = await startTestServer({}, { push: { ...service.parts, limits: { recipientsMs: 20, windowMs: 100 } } });
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ displayName: 'Ada', role: 'admin' });
  [forAnna, forBen] = [await service.subscribe(anna), await service.subscribe(ben)];
});
afterEach(async () => {
  await server.destroy();
  service.expectNoFaults();
});

const pending = (count: number, more: object = {}) =>
  insertAlerts(
    server.database,
    Array.from({ length: count }, () => ({ alertType: 'disk', title: 'Disk full', ...more })),
  );
const shownOn = (device: Device) => device.messages.map(({ title, body, url }) => ({ title, body, url }));
/** Messages come in order, so nothing else came before this one: the way to see that somebody was not notified. */
const expectShown = async (device: Device, shown: { title: string; body: string; url: string }[]) => {
  await expect.poll(() => shownOn(device)).toEqual(shown);
};

test('who is given alerts or mentioned gets one push for what one action did, and who did it none', async () => {
  const [single = ''] = await pending(1);
  await anna.send('POST', `/api/alerts/${single}/assign`, { userId: ben.id });
  const toBen = { title: 'Anna assigned an alert to you', body: 'Disk full', url: `/alert/${single}` };
  await expectShown(forBen, [toBen]);
  const [push] = forBen.received;
  expect(push?.message).toMatchObject({ type: 'notice', noticeId: expect.any(String) });
  expect(push?.headers).toMatchObject({ ttl: '86400', urgency: 'high', topic: push?.message.tag });

  const many = await pending(7);
  await anna.send('POST', '/api/alerts/bulk', { action: 'assign', userId: ben.id, ids: many });
  const bulk = { title: 'Anna assigned 7 alerts to you', body: '', url: '/my-alerts' };
  await expectShown(forBen, [toBen, bulk]);

  const back = { userId: anna.id, note: 'Call Ines.', isWithQueue: true, folderIds: [] };
  await ben.send('POST', '/api/alerts/hand-over', back);
  const handedOver = { title: 'Ben handed over 8 alerts to you', body: 'Call Ines.', url: '/my-alerts' };
  await expectShown(forAnna, [handedOver]);

  const [open = ''] = await pending(1);
  const note = { text: '@Ben @Anna look', mentions: [ben.id, anna.id] };
  await anna.send('POST', `/api/alerts/${open}/notes`, note);
  const mention = { title: 'Anna mentioned you', body: 'Disk full: @Ben @Anna look', url: `/alert/${open}` };
  await expectShown(forBen, [toBen, bulk, mention]);
  await admin.send('POST', `/api/alerts/${single}/assign`, { userId: ben.id });
  const taken = { title: 'Ada gave an alert of yours to Ben', body: 'Disk full', url: '/my-alerts' };
  await expectShown(forAnna, [handedOver, taken]);
});

test('a pause and quiet hours hold for it, mutes of the alert’s type do not', async () => {
  await anna.send('POST', '/api/alert-types/mutes', { alertType: 'disk' });
  await ben.send('PATCH', '/api/notification-settings', { pausedUntil: new Date(Date.now() + 60_000).toISOString() });
  const [one = '', two = '', three = ''] = await pending(3);
  await admin.send('POST', `/api/alerts/${one}/assign`, { userId: ben.id });
  await admin.send('POST', `/api/alerts/${two}/assign`, { userId: anna.id });
  await expectShown(forAnna, [{ title: 'Ada assigned an alert to you', body: 'Disk full', url: `/alert/${two}` }]);
  await ben.send('PATCH', '/api/notification-settings', { pausedUntil: null });
  await admin.send('POST', `/api/alerts/${three}/notes`, { text: 'Look', mentions: [ben.id] });
  await expectShown(forBen, [{ title: 'Ada mentioned you', body: 'Disk full: Look', url: `/alert/${three}` }]);
});

test('an alert that wakes or returns is announced as what it is, on every device', async () => {
  const [snoozed = ''] = await pending(1, { title: null });
  const until = new Date(Date.now() + 3_000).toISOString();
  await must(anna.send('POST', `/api/alerts/${snoozed}/snooze`, { until }));
  const woken = { title: 'Snoozed alert is back: disk', body: 'Its snooze has ended', url: `/alert/${snoozed}` };
  for (const device of [forAnna, forBen]) await expectShown(device, [woken]);

  const dora = await server.signedIn({ displayName: 'Dora' });
  const forgotten = await pending(3, { ownerId: dora.id, status: 'accepted' });
  await admin.send('PATCH', `/api/auth/users/${dora.id}/toggle-active`);
  const returned = { title: '3 alerts are back in the inbox', body: 'The account of Dora is disabled', url: '/' };
  for (const device of [forAnna, forBen]) await expectShown(device, [woken, returned]);
  expect(forgotten).toHaveLength(3);
});
