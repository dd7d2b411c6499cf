import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUser } from '#backend/identity/users/user.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SessionEntity, createSessionStore } from '#backend/identity/sessions/session-store.ts';
import { forgetClock } from '#tests/support/forget-clock.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { BELIEVED_AFTER_MS, createSteadyClock } from './steady-clock.ts';

const HOUR_MS = 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const START = Date.parse('2026-11-23T12:00:00Z');

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await forgetClock(server);
});
afterEach(async () => {
  await server.destroy();
});

test('the clock by which old things are deleted follows no jump ahead for a day, also after a restart, and a clock that is set back at once', async () => {
  const time = { wall: START, running: 0 };
  const clocks = { wall: () => time.wall, running: () => time.running };
  const pass = (milliseconds: number) => {
    time.wall += milliseconds;
    time.running += milliseconds;
  };
  let clock = createSteadyClock(server.database, clocks);
  expect(await Promise.all([clock.now(), clock.now()])).toEqual([START, START]);
  pass(HOUR_MS);
  expect(await clock.now()).toBe(START + HOUR_MS);

  time.wall += WEEK_MS;
  pass(HOUR_MS);
  expect(await clock.now()).toBe(START + 2 * HOUR_MS);
  // A process counts its own time from somewhere else, and does not know how long it was not there.
  time.running = 7;
  clock = createSteadyClock(server.database, clocks);
  pass(HOUR_MS);
  expect(Math.abs((await clock.now()) - START - 3 * HOUR_MS)).toBeLessThanOrEqual(HOUR_MS);

  time.wall -= WEEK_MS;
  expect(await clock.now()).toBeLessThanOrEqual(time.wall);
  time.wall += WEEK_MS;
  for (let passed = 0; passed < BELIEVED_AFTER_MS; passed += HOUR_MS) {
    pass(HOUR_MS);
    await clock.now();
  }
  pass(HOUR_MS);
  expect(await clock.now()).toBe(time.wall);
  const [row]: { looks: unknown }[] = await server.database.reads.query('SELECT COUNT(*) AS looks FROM clock_looks');
  expect(Number(row?.looks)).toBeLessThanOrEqual(BELIEVED_AFTER_MS / HOUR_MS + 1);
});

test('a sign-in while the clock is ahead by a week leaves the sessions of others as they are', async () => {
  const anna = await server.signedIn();
  const ben = await server.addUser();
  const rules = {
    sessionMaxMs: 90 * 24 * HOUR_MS,
    passwordOnlyFor: undefined,
    breakGlass: undefined,
    oidcProviders: [],
  };
  const ahead = () => Date.now() + WEEK_MS + HOUR_MS;
  const store = createSessionStore(server.database, createLogger('silent'), rules, ahead);
  const user = await findUser(server.database.reads, ben.id);
  if (user) await store.create(user, { ip: '192.0.2.1', userAgent: '' }, undefined);
  expect(await server.database.reads.getRepository(SessionEntity).count()).toBe(2);
  expect((await anna.get('/api/folders')).status).toBe(200);
});
