import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { provideGalera } from '#tests/support/galera.ts';
import { type GaleraWorld, startGaleraWorld } from '#tests/support/galera-world.ts';
import { keepSending, newLedger } from '#tests/support/ledger.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { hasCluster } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';

/** A cluster is started for the tests on MariaDB, where Galera is installed or may be. */
const hasGalera = hasCluster && (await provideGalera());

const NODES = [0, 1, 2] as const;
const ROUNDS = 12;

const listOf = async (client: TestClient, path: string): Promise<Alert[]> =>
  alertListSchema.parse(await (await client.get(path)).json());
const statusesOf = (answers: readonly Response[]): number[] => answers.map(({ status }) => status).toSorted();

/** Titles of the alerts that one server took while Redis was away, as a page received them. */
const titlesOf = ({ events }: LiveClient, server: number): string[] =>
  events.flatMap((event) => {
    const title = event.type === 'new_alert' ? event.alert.title : undefined;
    return title?.startsWith(`Away ${server}-`) ? [title] : [];
  });

/** Whether a server shares events through Redis: 1 or 0. */
const isConnected = async (server: TestClient) =>
  metricValue(await (await server.get('/metrics')).text(), 'alertdesk_cluster_redis_connected');

describe.runIf(hasGalera)('three servers on three nodes of a Galera cluster', () => {
  let world: GaleraWorld;
  /** One person at each of the three servers, in one session. */
  let everywhere: TestClient[];
  beforeAll(async () => {
    world = await startGaleraWorld();
    everywhere = NODES.map((server) => world.at(world.admin, server));
  });
  afterAll(() => world.stop());

  const at = (server: number): TestClient => everywhere[server % NODES.length] as TestClient;
  test('people read at one server what another one answered', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await at(round).postAlert(world.key, { title: `Read ${round}` });
      const accepted = await at(round + 1).send('POST', `/api/alerts/${id}/accept`);
      expect(accepted.status).toBe(200);
      const mine = await listOf(at(round + 2), '/api/alerts/mine?limit=1');
      expect(mine[0]).toMatchObject({ id, status: 'accepted' });
    }
  });

  test('a session holds everywhere once it began, and nowhere once it ended', async () => {
    const member = await world.addMember('Seen everywhere');
    const others = NODES.map((server) => world.at(member, server));
    expect(statusesOf(await Promise.all(others.map((other) => other.get('/api/alerts/inbox'))))).toEqual([
      200, 200, 200,
    ]);
    expect((await member.send('POST', '/api/auth/logout')).status).toBe(204);
    expect(statusesOf(await Promise.all(others.map((other) => other.get('/api/alerts/inbox'))))).toEqual([
      401, 401, 401,
    ]);
  });

  test('of three people who accept one alert at three servers one wins', async () => {
    const people = await Promise.all(NODES.map((server) => world.addMember(`Person ${server}`, { at: server })));
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await at(round).postAlert(world.key, { title: `Wanted ${round}` });
      const answers = await Promise.all(people.map((person) => person.send('POST', `/api/alerts/${id}/accept`)));
      expect(statusesOf(answers)).toEqual([200, 409, 409]);
      const history = historySchema.parse(await (await at(0).get(`/api/alerts/${id}/history`)).json());
      expect(history.map(({ action }) => action)).toEqual(['accepted', 'received']);
    }
  });

  test('a delivery that comes to three servers at once is one alert, and so is a problem', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const deliveries = await Promise.all(
        NODES.map((server) =>
          at(server).post(world.key, { title: `Once ${round}` }, { 'Idempotency-Key': `once-${round}` }),
        ),
      );
      const ids = await Promise.all(
        deliveries.map(async (answer) => webhookReceiptSchema.parse(await answer.json()).id),
      );
      expect(new Set(ids).size).toBe(1);
      const report = { title: `Problem ${round}`, dedup_key: `problem-${round}`, status: 'firing' };
      const reports = await Promise.all(NODES.map((server) => at(server).post(world.key, report)));
      expect(statusesOf(reports)).toEqual([202, 202, 202]);
      const problems = (await listOf(at(round), '/api/alerts/inbox?limit=20')).filter(
        ({ title }) => title === report.title,
      );
      expect(problems.map(({ occurrences }) => occurrences)).toEqual([3]);
    }
  });

  test('what is decided on a row holds for the other nodes', async () => {
    const member = await world.addMember('Files alerts');
    const [here, there] = [world.at(member, 0), world.at(member, 1)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await here.postAlert(world.key, { title: `Filed ${round}` });
      await here.send('POST', `/api/alerts/${id}/accept`);
      const made = await here.send('POST', '/api/folders', { name: `Folder ${round}`, color: 'blue' });
      const folder = folderSchema.parse(await made.json());
      const answers = await Promise.all([
        here.send('PATCH', `/api/webhooks/${id}/move`, { folderId: folder.id }),
        there.send('DELETE', `/api/folders/${folder.id}`),
        there.send('POST', '/api/folders', { name: `Inner ${round}`, color: 'red', parentId: folder.id }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([
        expect.toBeOneOf([200, 404]),
        204,
        expect.toBeOneOf([201, 404]),
      ]);
    }
    // Whatever came first: no alert is in a folder that is gone, and no folder is in one.
    expect(await listOf(there, '/api/alerts/mine')).toHaveLength(ROUNDS);
    const database = await world.open(2);
    const orphans = await database.reads.query(
      "SELECT id FROM folders WHERE parent_id <> '' AND parent_id NOT IN (SELECT id FROM folders)",
    );
    expect(orphans).toEqual([]);
  });

  test('two administrators who demote each other at two servers leave one', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [one, other] = await Promise.all(
        [0, 1].map((server) => world.addMember(`Admin ${round}-${server}`, { role: 'admin', at: server })),
      );
      if (!one || !other) throw new Error('nobody was made');
      const database = await world.open(2);
      // All others are out of the way.
      await database.transaction((tx) =>
        tx.query('UPDATE users SET is_active = 0 WHERE id NOT IN (?, ?)', [one.id, other.id]),
      );
      const answers = await Promise.all([
        one.send('PATCH', `/api/auth/users/${other.id}/toggle-active`),
        other.send('PATCH', `/api/auth/users/${one.id}/toggle-active`),
      ]);
      expect(statusesOf(answers)).toEqual([200, expect.toBeOneOf([401, 409])]);
      await database.transaction((tx) => tx.query('UPDATE users SET is_active = 1'));
    }
  });

  test('while Redis is away, pages at servers on other nodes get what happens, once and in order', async () => {
    const pages = await Promise.all(everywhere.map((person) => listenLive(person)));
    await world.redis.kill();
    // What is on its way at that moment may be lost: then pages fetch again.
    await expect
      .poll(() => Promise.all(NODES.map(at).map(isConnected)), { timeout: 10_000 })
      .toEqual(NODES.map(() => 0));
    const expected: string[][] = NODES.map(() => []);
    for (let number = 0; number < 5; number += 1) {
      for (const server of NODES) {
        const title = `Away ${server}-${number}`;
        await at(server).postAlert(world.key, { title });
        expected[server]?.push(title);
      }
    }
    const received = () => pages.map((page) => NODES.map((server) => titlesOf(page, server)));
    await expect.poll(received, { timeout: 15_000 }).toEqual(pages.map(() => expected));
    await world.redis.start();
    for (const { socket } of pages) socket.close();
  });

  test('a node that is killed under load comes back, and nothing is lost or counted twice', async () => {
    const ledger = newLedger();
    const stopped = new AbortController();
    // Two servers have nodes all the time; the third one answers 503 meanwhile.
    const load = Promise.all(
      NODES.flatMap((server) =>
        [1, 2].map((poster) =>
          keepSending(ledger, stopped.signal, 202, (number) =>
            at(server).post(world.key, {
              title: `Load ${server}-${poster}-${number}`,
              customer: `Customer ${number % 5}`,
            }),
          ),
        ),
      ),
    );
    const hasSent = async (more: number): Promise<void> => {
      const before = ledger.acknowledged.length;
      await expect.poll(() => ledger.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + more);
    };
    await hasSent(100);
    await world.cluster.nodes[2]?.kill();
    await expect.poll(async () => (await at(2).get('/readyz')).status, { timeout: 10_000 }).toBe(503);
    await hasSent(100);
    await world.cluster.nodes[2]?.rejoin();
    await expect.poll(async () => (await at(2).get('/readyz')).status, { timeout: 10_000 }).toBe(200);
    await hasSent(100);
    stopped.abort();
    await load;

    expect(ledger.unexpected).toEqual([]);
    expect(ledger.refused).toBeGreaterThan(0);
    for (const node of NODES) {
      const database = await world.open(node);
      const rows: { id: string }[] = await database.reads.query("SELECT id FROM alerts WHERE title LIKE 'Load %'");
      const stored = new Set(rows.map(({ id }) => id));
      expect(ledger.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      await expectTrueCounts(database);
    }
  });
});
