import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { viewListAnswerSchema, viewSchema } from '#backend/contract/view.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { walkList } from '#tests/support/walk-list.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();

/** From the first place on earth that has a new day to the last, with one whose clocks are set twice a year. */
const ZONES = ['Pacific/Kiritimati', 'America/New_York', 'UTC', 'Pacific/Pago_Pago'];

let server: TestServer;
let anna: TestClient;

/** An alert every six hours for seventy days: every week and month that a word names has some, and so has the time around. */
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  await insertAlerts(
    server.database,
    Array.from({ length: 70 * 4 }, (_, number) => ({
      id: firstIdAt(NOW - number * 6 * HOUR_MS).slice(0, 14) + uuidv7().slice(14),
      title: `egret ${number}`,
    })),
  );
});
afterAll(() => server.destroy());

async function find(search: string, timeZone: string): Promise<(string | null)[]> {
  const query = new URLSearchParams({ limit: '100', search: `${search} egret`, timeZone });
  const { alerts } = await walkList(anna, `/api/alerts/inbox?${query}`);
  return alerts.map(({ title }) => title);
}

/** The date that it is in a time zone so many days ago, by its calendar. */
function dateIn(timeZone: string, daysAgo = 0): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now());
  return new Date(Date.parse(today) - daysAgo * DAY_MS).toISOString().slice(0, 10);
}

/** The first and the last date that each word names, by what a calendar on paper says. */
function datesOf(timeZone: string): Record<string, readonly [string, string]> {
  const today = new Date(dateIn(timeZone));
  const sinceMonday = (today.getUTCDay() + 6) % 7;
  const inMonth = (months: number, day: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, day)).toISOString().slice(0, 10);
  const ago = (first: number, last: number) => [dateIn(timeZone, first), dateIn(timeZone, last)] as const;
  return {
    today: ago(0, 0),
    yesterday: ago(1, 1),
    thisweek: ago(sinceMonday, sinceMonday - 6),
    lastweek: ago(sinceMonday + 7, sinceMonday + 1),
    thismonth: [inMonth(0, 1), inMonth(1, 0)],
    lastmonth: [inMonth(-1, 1), inMonth(0, 0)],
    monday: ago(sinceMonday, sinceMonday),
    sun: ago((sinceMonday + 1) % 7, (sinceMonday + 1) % 7),
  };
}

/** Runs a comparison within one day of a time zone: once more where another day began in the middle. */
async function withinOneDay(timeZone: string, compare: () => Promise<void>): Promise<void> {
  const today = dateIn(timeZone);
  try {
    await compare();
  } catch (error) {
    if (dateIn(timeZone) === today) throw error;
    await compare();
  }
}

test.each(ZONES)('a word answers what its dates answer, in %s', (timeZone) =>
  withinOneDay(timeZone, async () => {
    for (const [word, [first, last]] of Object.entries(datesOf(timeZone))) {
      const byWord = await find(`from:${word} to:${word}`, timeZone);
      expect({ word, found: byWord }).toEqual({ word, found: await find(`from:${first} to:${last}`, timeZone) });
      const since = await find(`from:${word}`, timeZone);
      expect({ word, found: since }).toEqual({ word, found: await find(`from:${first}`, timeZone) });
      const until = await find(`to:${word}`, timeZone);
      expect({ word, found: until }).toEqual({ word, found: await find(`to:${last}`, timeZone) });
    }
  }),
);

test('words mean the days of the time zone that asks', async () => {
  const [east = '', , , west = ''] = ZONES;
  const found = await find('from:lastweek to:lastweek', east);
  expect(found).toHaveLength(7 * 4);
  expect(await find('from:lastweek to:lastweek', west)).not.toEqual(found);
});

test('a view keeps the word that it was saved with, and is counted by what the word means in the time zone that asks', async () => {
  const search = 'egret from:lastweek to:yesterday';
  const saved = await anna.send('POST', '/api/views', { name: 'Last week', list: 'inbox', search });
  const { id } = viewSchema.parse(await saved.json());
  for (const timeZone of ZONES) {
    await withinOneDay(timeZone, async () => {
      const { length } = await find('from:lastweek to:yesterday', timeZone);
      await waitFor(async () => {
        const answer = await anna.get(`/api/views?${new URLSearchParams({ timeZone })}`);
        const view = viewListAnswerSchema.parse(await answer.json()).find((one) => one.id === id);
        expect(view).toMatchObject({ search, alerts: length });
      });
    });
  }
});

test('an unknown word is answered with those that are accepted', async () => {
  const response = await anna.get('/api/alerts/inbox?search=from:nextweek');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(
    'from: takes today, yesterday, thisweek, lastweek, thismonth, lastmonth, a weekday (monday or mon), 30m, 4h, 3d, 2w, 9:30, 2026-11-21 or 2026-11-21T09:30.',
  );
});
