import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AlertState, alertListSchema } from '#backend/contract/alert.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { type BatchWriter, NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** Each test has a customer, and so a group, of its own. */
let customer: string;
let write: BatchWriter;
let changes: ReturnType<typeof catchChanges>['changes'];
beforeEach(() => {
  customer = crypto.randomUUID();
  const watched = catchChanges(server.database);
  ({ changes } = watched);
  write = createBatchWriter(watched.database, NO_ECHOES, {
    ...NOTHING_DECIDES,
    grouping: { active: () => [{ kind: 'names', withinMinutes: 60 }] },
  });
});

type Report = [key: string, state: AlertState, severity?: 'warning' | 'critical'];

/** Reports of problems of this customer in one delivery; what was announced of each alert, and of new ones whether they are quiet. */
async function report(at: number, ...reports: Report[]) {
  changes.length = 0;
  const plain = { payload: jsonText('{}'), extraData: jsonText('{}'), customer, alertType: 'disk.full', url: '' };
  const events = reports.map(([key, state, severity = 'warning']) =>
    Object.assign(plainEvent(plain), { severity, state, dedupKey: `${customer} ${key}` }),
  );
  const source = { id: 'built-in', name: 'Servers', secretId: null };
  const policy = { ...DEFAULT_POLICY, notifyAgainAfterMs: 60 * MINUTE_MS };
  await write([{ source, policy, isOwn: true, receivedAt: at, events }]);
  return changes.flatMap((change) => {
    if (change.type === 'new_alert') return [change.quiet ? 'quiet' : 'loud'];
    return 'reason' in change ? [change.reason] : [];
  });
}

test('an alert that comes together with the end of the one that announced its card is announced', async () => {
  const now = Date.now();
  expect(await report(now, ['a', 'firing'])).toEqual(['loud']);
  expect(await report(now, ['a', 'resolved'], ['b', 'firing'])).toEqual(['resolved', 'loud']);
  expect(await report(now, ['c', 'firing', 'critical'], ['d', 'firing'])).toEqual(['loud', 'quiet']);
  expect(await report(now, ['c', 'resolved'], ['e', 'firing', 'critical'])).toEqual(['resolved', 'loud']);
  expect(await report(now, ['f', 'firing', 'critical'])).toEqual(['quiet']);
});

test('one that was silent notifies again together with the end of the last one that went on reporting', async () => {
  const start = Date.now();
  await report(start, ['a', 'firing'], ['b', 'firing']);
  expect(await report(start + 50 * MINUTE_MS, ['a', 'firing'])).toEqual(['repeated']);
  expect(await report(start + 70 * MINUTE_MS, ['a', 'resolved'], ['b', 'firing'])).toEqual([
    'resolved',
    'notify_again',
  ]);
});

test('what a report wakes notifies together with the end of the one of its card that woke before', async () => {
  const start = Date.now();
  const member = await server.signedIn();
  await report(start, ['a', 'firing'], ['b', 'firing']);
  const inbox = alertListSchema.parse(await (await member.get(`/api/alerts/inbox?customer=${customer}`)).json());
  const ids = inbox.map(({ id }) => id);
  await member.send('POST', '/api/alerts/bulk', { action: 'snooze', until: 'next-firing', ids });
  expect(await report(start + MINUTE_MS, ['a', 'firing'])).toEqual(['woken']);
  expect(await report(start + 2 * MINUTE_MS, ['a', 'resolved'], ['b', 'firing'])).toEqual(['resolved', 'woken']);
});
