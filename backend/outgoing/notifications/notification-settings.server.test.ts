import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  DEFAULT_QUIET_HOURS,
  MAX_PAUSE_MS,
  type NotificationSettings,
  WEEKDAYS,
  notificationSettingsSchema,
} from '#backend/contract/notification-settings.ts';
import { customerSchema } from '#backend/contract/mute.ts';
import { NotificationSettingsEntity } from './notification-settings.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const SETTINGS = '/api/notification-settings';
const HOURS = { isOn: true, days: ['fri', 'mon'], from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());
beforeEach(async () => {
  anna = await server.signedIn();
  ben = await server.signedIn();
});

const settingsOf = async (member: TestClient) =>
  notificationSettingsSchema.parse(await (await member.get(SETTINGS)).json());
const change = async (member: TestClient, body: unknown) => {
  const response = await member.send('PATCH', SETTINGS, body);
  expect(response.status).toBe(200);
  return notificationSettingsSchema.parse(await response.json());
};
const setSound = (member: TestClient, alertType: string, sound: unknown) =>
  member.send('PUT', `${SETTINGS}/sounds`, { alertType, sound });
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

const NO_MAIL = { mentions: false, digestAt: null, timeZone: null };
const UNTOUCHED: NotificationSettings = {
  level: 'always',
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  sounds: [],
  mail: NO_MAIL,
};

test('who never decided anything is notified of everything, and has the rest off', async () => {
  expect(await settingsOf(anna)).toEqual(UNTOUCHED);
});

test('quiet hours are kept for each member, days in the order of the week', async () => {
  const quietHours = { ...HOURS, days: ['mon', 'fri'] };
  expect((await change(anna, { quietHours: HOURS })).quietHours).toEqual(quietHours);
  expect((await settingsOf(anna)).quietHours).toEqual(quietHours);
  expect(await settingsOf(ben)).toEqual(UNTOUCHED);
  const off = { ...quietHours, isOn: false, days: [] };
  expect((await change(anna, { quietHours: off })).quietHours).toEqual(off);
});

test('what is absent from a change stays', async () => {
  const pausedUntil = later(60_000);
  await change(anna, { quietHours: HOURS });
  await change(anna, { pausedUntil });
  expect(await change(anna, {})).toMatchObject({ quietHours: { timeZone: 'Europe/Berlin' }, pausedUntil });
  expect(await change(anna, { quietHours: DEFAULT_QUIET_HOURS })).toMatchObject({ pausedUntil });
});

test('two windows that change different things at once both get their way', async () => {
  const pausedUntil = later(60_000);
  await Promise.all([change(anna, { quietHours: HOURS }), change(anna, { pausedUntil })]);
  expect(await settingsOf(anna)).toMatchObject({ pausedUntil, quietHours: { from: '22:00', days: ['mon', 'fri'] } });
});

describe('a pause', () => {
  test('lasts until the moment named, in whatever time zone it is named', async () => {
    const end = new Date(Date.now() + 60 * 60_000);
    const inKathmandu = new Date(end.getTime() + 345 * 60_000).toISOString().replace('Z', '+05:45');
    expect((await change(anna, { pausedUntil: inKathmandu })).pausedUntil).toBe(end.toISOString());
  });

  test('of the past is none, as null is', async () => {
    for (const pausedUntil of [later(-1), null]) {
      await change(anna, { pausedUntil: later(60_000) });
      expect((await change(anna, { pausedUntil })).pausedUntil).toBeNull();
    }
  });

  test('lasts so many minutes by the server’s clock, or until a moment, not both', async () => {
    const [start, { pausedUntil }, end] = [Date.now(), await change(anna, { pausedMinutes: 60 }), Date.now()];
    expect(Date.parse(pausedUntil ?? '')).toBeGreaterThanOrEqual(start + 60 * 60_000);
    expect(Date.parse(pausedUntil ?? '')).toBeLessThanOrEqual(end + 60 * 60_000);
    for (const body of [{ pausedMinutes: 0 }, { pausedMinutes: 31 * 24 * 60 + 1 }, { pausedMinutes: 5, pausedUntil }]) {
      expect((await anna.send('PATCH', SETTINGS, body)).status).toBe(422);
    }
    expect((await settingsOf(anna)).pausedUntil).toBe(pausedUntil);
  });

  test('is none once it is over', async () => {
    await change(anna, { pausedUntil: later(60_000) });
    await server.database.transaction((tx) =>
      tx.getRepository(NotificationSettingsEntity).update({ userId: anna.id }, { pausedUntil: Date.now() - 1 }),
    );
    expect((await settingsOf(anna)).pausedUntil).toBeNull();
  });

  test('may last a month', async () => {
    const pausedUntil = later(MAX_PAUSE_MS - 60_000);
    expect((await change(anna, { pausedUntil })).pausedUntil).toBe(pausedUntil);
    const refused = await anna.send('PATCH', SETTINGS, { pausedUntil: later(MAX_PAUSE_MS + 60_000) });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      'The body is not acceptable: pausedUntil: must be within 31 days.',
    ]);
    expect((await settingsOf(anna)).pausedUntil).toBe(pausedUntil);
  });
});

describe('what cannot be', () => {
  test.each([
    ['quietHours.timeZone', { ...HOURS, timeZone: 'Europe/Nowhere' }],
    ['quietHours.timeZone', { ...HOURS, timeZone: '+01:00' }],
    ['quietHours.from', { ...HOURS, from: '24:00' }],
    ['quietHours.to', { ...HOURS, to: '7:00' }],
    ['quietHours.days', { ...HOURS, days: 'mon' }],
    ['quietHours.days.0', { ...HOURS, days: ['monday'] }],
    ['quietHours.isOn', { ...HOURS, isOn: 'yes' }],
    ['quietHours.days', { isOn: true, from: '22:00', to: '07:00', timeZone: 'UTC' }],
  ])('%s is refused by its name', async (path, quietHours) => {
    const response = await anna.send('PATCH', SETTINGS, { quietHours });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(path);
    expect(await settingsOf(anna)).toEqual(UNTOUCHED);
  });

  test.each(['tomorrow', 5, '2026-01-01'])('a pause until %j is refused', async (pausedUntil) => {
    expect((await anna.send('PATCH', SETTINGS, { pausedUntil })).status).toBe(422);
  });
});

describe('sounds', () => {
  beforeEach(async () => {
    for (const type of ['disk.full', 'order.failed']) await anna.postAlert(key, { type });
  });

  test('are chosen for each type, changed and taken away, by each member for themselves', async () => {
    await setSound(anna, 'order.failed', 'chime');
    const response = await setSound(anna, 'disk.full', 'alarm');
    const chosen = [
      { alertType: 'disk.full', sound: 'alarm' },
      { alertType: 'order.failed', sound: 'chime' },
    ];
    expect([response.status, await response.json()]).toEqual([200, { ...UNTOUCHED, sounds: chosen }]);
    await setSound(anna, 'disk.full', 'knock');
    for (let time = 0; time < 2; time += 1) {
      expect((await setSound(anna, 'order.failed', null)).status).toBe(200);
      expect((await settingsOf(anna)).sounds).toEqual([{ alertType: 'disk.full', sound: 'knock' }]);
    }
    expect(await settingsOf(ben)).toEqual(UNTOUCHED);
  });

  test('are for types that were seen, and of those that there are', async () => {
    expect((await setSound(anna, 'never.seen', 'chime')).status).toBe(404);
    expect((await setSound(anna, 'disk.full', 'vuvuzela')).status).toBe(422);
    expect((await setSound(anna, '', 'chime')).status).toBe(422);
    expect(await settingsOf(anna)).toEqual(UNTOUCHED);
  });

  test('chosen twice at once are one', async () => {
    const answers = await Promise.all(['chime', 'ping', 'knock'].map((sound) => setSound(anna, 'disk.full', sound)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await settingsOf(anna)).sounds).toHaveLength(1);
  });
});

test('every change reaches the member’s other windows, and nobody else’s', async () => {
  const { id: last } = await anna.postAlert(key, { customer: 'Nordwind', type: 'disk.full' });
  const customers = z.array(customerSchema).parse(await (await anna.get('/api/customers')).json());
  const customerId = customers[0]?.id;
  const [hers, his] = [await listenLive(anna), await listenLive(ben)];
  const changes: [string, string, unknown?][] = [
    ['PATCH', SETTINGS, { quietHours: { ...HOURS, days: WEEKDAYS } }],
    ['PUT', `${SETTINGS}/sounds`, { alertType: 'disk.full', sound: 'ping' }],
    ['POST', '/api/customer-mutes', { customerId }],
    ['DELETE', `/api/customer-mutes/${customerId}`],
    ['POST', '/api/customer-mutes/bulk', { muted: true }],
    ['POST', '/api/alert-types/mutes', { alertType: 'disk.full' }],
    ['DELETE', '/api/alert-types/mutes/disk.full'],
    ['POST', '/api/alert-types/mutes/bulk', { muted: true }],
    ['POST', '/api/source-mutes/bulk', { muted: true }],
  ];
  const received = (live: typeof hers) =>
    live.events.filter(({ type }) => type === 'notification_settings_changed').length;
  for (const [index, [method, path, body]] of changes.entries()) {
    expect((await anna.send(method, path, body)).ok).toBe(true);
    await expect.poll(() => received(hers)).toBe(index + 1);
  }
  await anna.send('PATCH', SETTINGS, { quietHours: { ...HOURS, isOn: 'no' } });
  // What everybody receives comes after what he must not have received.
  await ben.send('DELETE', `/api/webhooks/${last}`);
  for (const live of [hers, his])
    await expect.poll(() => live.events.map(({ type }) => type)).toContain('alert_deleted');
  expect([received(hers), received(his)]).toEqual([changes.length, 0]);
});
