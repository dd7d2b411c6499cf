import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MaintenanceWindow, windowPreviewSchema, windowSchema } from '#backend/contract/maintenance.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { newWindow, planWindow } from '#tests/support/window-calls.ts';

const MINUTE_MS = 60_000;
const WINDOWS = '/api/maintenance/windows';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const fromNow = (minutes: number): string => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

/** What a window is that starts between two moments, and is on. */
function expectOn({ startsAt, minutes, current }: MaintenanceWindow, from: number, to: number): void {
  const start = Date.parse(startsAt);
  expect(start).toBeGreaterThanOrEqual(from);
  expect(start).toBeLessThanOrEqual(to);
  const endsAt = new Date(start + minutes * MINUTE_MS).toISOString();
  expect(current).toMatchObject({ state: 'on', startsAt, endsAt });
}

test('a window that starts now is on from the moment at which the server takes it', async () => {
  const before = Date.now();
  const window = await planWindow({ admin }, 0, { startsAt: 'now', minutes: 90 });
  expect(window.minutes).toBe(90);
  expectOn(window, before, Date.now());
});

test('one that has an end ends then, after whole minutes', async () => {
  const before = Date.now();
  const endsAt = fromNow(45.5);
  const window = await planWindow({ admin }, 0, { startsAt: 'now', minutes: undefined, endsAt });
  expect(window).toMatchObject({ minutes: 46, current: { endsAt } });
  expectOn(window, before - MINUTE_MS, Date.now());
});

test('a planned window starts earlier: now, for as long as it was to last', async () => {
  const { id, minutes } = await planWindow({ admin }, 60 * MINUTE_MS);
  const before = Date.now();
  const changed = await admin.send('PATCH', `${WINDOWS}/${id}`, { startsAt: 'now' });
  const window = windowSchema.parse(await changed.json());
  expect(window.minutes).toBe(minutes);
  expectOn(window, before, Date.now());
});

test('a planned window starts now and ends at a moment', async () => {
  const { id } = await planWindow({ admin }, 60 * MINUTE_MS);
  const endsAt = fromNow(20);
  const changed = await admin.send('PATCH', `${WINDOWS}/${id}`, { startsAt: 'now', endsAt });
  expect(windowSchema.parse(await changed.json())).toMatchObject({ minutes: 20, current: { state: 'on', endsAt } });
});

test('the preview of one that starts now begins now', async () => {
  const { name: _, ...body } = newWindow(0, { startsAt: 'now' });
  const before = Date.now();
  const answer = await admin.send('POST', '/api/maintenance/preview', body);
  const { times } = windowPreviewSchema.parse(await answer.json());
  expect(times).toHaveLength(1);
  expect(Date.parse(times[0]?.startsAt ?? '')).toBeGreaterThanOrEqual(before);
});

const TOO_LATE = 'Choose an end that is to come, 31 days from now at most.';
const NOT_BOTH = 'Only a window that starts now can have its end in place of its minutes.';

test.each([
  ['no length', { startsAt: 'now', minutes: undefined }, 'Say for how many minutes it is on.'],
  ['a length and an end', { startsAt: 'now', endsAt: fromNow(60) }, NOT_BOTH],
  ['an end without starting now', { minutes: undefined, endsAt: fromNow(120) }, NOT_BOTH],
  ['an end that has passed', { startsAt: 'now', minutes: undefined, endsAt: fromNow(-1) }, TOO_LATE],
  ['an end too far away', { startsAt: 'now', minutes: undefined, endsAt: fromNow(32 * 24 * 60) }, TOO_LATE],
  ['a start that is no time', { startsAt: 'soon' }, /startsAt/],
])('a window with %s is not planned', async (_what, more, sentence) => {
  const answer = await admin.send('POST', WINDOWS, newWindow(60 * MINUTE_MS, more));
  expect(answer.status).toBe(422);
  expect(await answer.text()).toMatch(sentence);
});
