import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RELEASED_AT_ONCE } from '#backend/alerts/alert/alert-store.ts';
import { type Folder, folderSchema } from '#backend/contract/folder.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { deleteFolder, finishDeletions } from './folder-commands.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { sendAgain } from '#tests/support/send-again.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Rounds of the race; `RACE_ROUNDS` asks for more. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 3);

/** More alerts than leave a folder in six steps. */
const ALERTS = 6 * RELEASED_AT_ONCE + 50;

let server: TestServer;
let anna: TestClient;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** A folder of Anna's with many alerts, and one folder within it. */
async function filled(): Promise<{ folder: Folder; alerts: string[] }> {
  anna = await server.signedIn({ displayName: 'Anna' });
  const make = async (name: string, parentId?: string) =>
    folderSchema.parse(
      await (await anna.send('POST', '/api/folders', { name, color: 'blue', ...(parentId && { parentId }) })).json(),
    );
  const folder = await make('Full');
  await make('Inside', folder.id);
  const filed = { status: 'accepted' as const, ownerId: anna.id, folderId: folder.id, customer: 'ACME' };
  return {
    folder,
    alerts: await insertAlerts(
      server.database,
      Array.from({ length: ALERTS }, () => filed),
    ),
  };
}

const totalOf = async (path: string) => Number((await anna.get(path)).headers.get('X-Total-Count'));
const names = async () => ((await (await anna.get('/api/folders')).json()) as Folder[]).map(({ name }) => name);
const rowsOf = async ({ id }: Folder) => {
  const [row]: { found: unknown }[] = await server.database.reads.query(
    'SELECT COUNT(*) AS found FROM folders WHERE id = ?',
    [id],
  );
  return Number(row?.found);
};
const deps = (database: Database) => ({
  database,
  logger: createLogger('silent'),
});

/** The folder is gone with all that was in it where it belongs, and the counters are right. */
async function expectDeleted(folder: Folder, alerts: number): Promise<void> {
  expect(await rowsOf(folder)).toBe(0);
  expect(await totalOf('/api/alerts/mine?limit=1')).toBe(alerts);
  expect(await totalOf('/api/alerts/all-folders?limit=1')).toBe(0);
  expect(await names()).toEqual(['Inside']);
  await expectTrueCounts(server.database);
}

// The first of this file: a minute after its start the server itself finishes what was left, also where it is to be seen.
test('a deletion whose server ended in the middle is finished, by two servers at once', async () => {
  const { folder } = await filled();
  let left = 2;
  const ending: Database = Object.create(server.database, {
    transaction: {
      value: (...args: Parameters<Database['transaction']>) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('The server ended.')) : server.database.transaction(...args);
      },
    },
  });
  const actor = { id: anna.id, displayName: 'Anna', sessionId: (await sessionOf(anna.id)) ?? '' } as Actor;
  await deleteFolder(deps(ending), actor, folder.id);
  // Gone for people, with some of its alerts.
  expect(await names()).toEqual(['Inside']);
  expect(await rowsOf(folder)).toBe(1);
  expect((await anna.get(`/api/alerts/folder/${folder.id}`)).status).toBe(404);
  expect(await totalOf('/api/alerts/mine?limit=1')).toBe(2 * RELEASED_AT_ONCE);
  await expectTrueCounts(server.database);

  const { signal } = new AbortController();
  await Promise.all([1, 2].map(() => finishDeletions(deps(server.database), signal)));
  await expectDeleted(folder, ALERTS);
});

async function sessionOf(userId: string): Promise<string | undefined> {
  const [row]: { id: string }[] = await server.database.reads.query('SELECT id FROM sessions WHERE user_id = ?', [
    userId,
  ]);
  return row?.id;
}

test('a large folder is deleted in steps, and what others write goes between', async () => {
  const { folder, alerts } = await filled();
  const live = await listenLive(anna);
  const transactions = vi.spyOn(server.database, 'transaction');
  const order: string[] = [];
  const deletion = anna
    .send('DELETE', `/api/folders/${folder.id}`)
    .then(({ status }) => order.push(`deleted ${status}`));
  await waitFor(() => expect(transactions).toHaveBeenCalled(), { interval: 1 });
  const write = server.database.transaction(async () => undefined).then(() => order.push('written'));
  await Promise.all([deletion, write]);
  expect(order).toEqual(['written', 'deleted 204']);
  // The beginning, the steps that follow it, and the other write.
  expect(transactions.mock.calls.length).toBeGreaterThanOrEqual(5);
  transactions.mockRestore();
  await expectDeleted(folder, ALERTS);
  const [first = ''] = alerts;
  const history = (await (await anna.get(`/api/alerts/${first}/history`)).json()) as object[];
  expect(history[0]).toMatchObject({ action: 'move_folder', previousFolderName: 'Full', userDisplayName: 'Anna' });
  await waitFor(() => expect(live.events.some(({ type }) => type === 'folders_changed')).toBe(true));
  expect(live.events.filter(({ type }) => type === 'lists_changed')).toHaveLength(1);
});

test(
  'a large folder is deleted twice, and finished elsewhere, while its alerts are moved, changed and returned',
  { timeout: 30_000 + ROUNDS * 10_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { folder, alerts } = await filled();
      const pick = (number: number) => alerts[(number * 211 + round * 37) % ALERTS] ?? '';
      const finish = async () => {
        for (let time = 0; time < 5; time += 1) {
          await setImmediate();
          await finishDeletions(deps(server.database), new AbortController().signal);
        }
      };
      const calls = await Promise.all([
        sendAgain(anna, 'DELETE', `/api/folders/${folder.id}`),
        sendAgain(anna, 'DELETE', `/api/folders/${folder.id}`),
        sendAgain(anna, 'PATCH', `/api/webhooks/${pick(1)}/move`, { folderId: null }),
        sendAgain(anna, 'PATCH', `/api/webhooks/${pick(2)}/status`, { status: 'completed' }),
        sendAgain(anna, 'POST', `/api/alerts/${pick(3)}/unaccept`),
        sendAgain(anna, 'POST', `/api/alerts/bulk`, { action: 'move', folderId: folder.id, ids: [pick(4), pick(5)] }),
        finish(),
        finish(),
      ]);
      const statuses = calls.flatMap((answer) => (answer instanceof Response ? [answer.status] : []));
      expect(statuses.slice(0, 2).toSorted((one, other) => one - other)).toEqual([204, 404]);
      expect(statuses.slice(2, 5)).toEqual([200, 200, 200]);
      await finish();
      await expectDeleted(folder, ALERTS - 1);
    }
  },
);
