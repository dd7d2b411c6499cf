import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertFacetsSchema } from '#backend/contract/alert.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { mergeCounts } from './merge-counts.ts';
import { findWrongCounts, recount } from './recount.ts';

const never = new AbortController().signal;

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('counters of two servers', () => {
  let one: TestServer;
  let other: TestServer;
  let members: TestClient[];
  let key: string;
  beforeAll(async () => {
    one = await startTestServer({}, { isOneOfSeveral: true });
    other = await one.startSecond();
    members = [await one.signedIn(), await other.signedIn()];
    key = await one.addApiKey();
    // Made after the other server had read the sources.
    other = await other.restart();
    members[1] = await other.signedIn();
  });
  afterAll(async () => {
    await other.stop();
    await one.destroy();
  });

  const readSlots = async () =>
    (await one.database.reads.query<{ slot: unknown }[]>('SELECT DISTINCT slot FROM alert_counts ORDER BY slot')).map(
      ({ slot }) => Number(slot),
    );
  const readFacets = async () =>
    alertFacetsSchema.parse(await (await members[0]?.get('/api/alerts/facets?list=inbox'))?.json());
  const readCustomers = async () => (await readFacets()).customers;
  const readEmpty = (): Promise<unknown[]> =>
    one.database.reads.query('SELECT * FROM alert_counts WHERE alerts = 0 AND detail <> 0');

  const post = async (client: TestClient | undefined, round: number) => {
    const alert = await client?.postAlert(key, { customer: `Customer ${round % 3}`, type: 'order' });
    const id = alert?.id ?? '';
    if (round % 2 === 0) await members[(round / 2) % 2]?.send('POST', `/api/alerts/${id}/accept`);
    else await members[(round + 1) % 2]?.send('DELETE', `/api/webhooks/${id}`);
  };

  test('lie in rows of their own, so that none waits for the transaction of the other', async () => {
    const place = { status: 'pending', snoozedUntil: null, ownerId: null, folderId: null } as const;
    const after = { ...place, customer: 'Both', alertType: null, sourceId: null, severity: null };
    const inside = one.database.transaction(async (tx) => {
      await countChanges(tx, [{ after }]);
      await insertAlerts(other.database, [{ customer: 'Both' }]);
      throw new Error('The other one was stored meanwhile.');
    });
    await expect(inside).rejects.toThrow('The other one was stored meanwhile.');
    expect(await readCustomers()).toEqual(['Both']);
    await expectTrueCounts(one.database);
  });

  test('are exact sums, also where one slot is negative, and names without alerts are in no list', async () => {
    const ids = await insertAlerts(one.database, [{ customer: 'Ghost' }, { customer: 'Ghost' }, { customer: 'Stays' }]);
    for (const id of ids.slice(0, 2)) await members[1]?.send('DELETE', `/api/webhooks/${id}`);
    const rows: { alerts: unknown }[] = await one.database.reads.query(
      "SELECT alerts FROM alert_counts WHERE detail = 1 AND customer = 'Ghost' ORDER BY slot",
    );
    expect(rows.map(({ alerts }) => Number(alerts))).toEqual([2, -2]);
    expect(await readCustomers()).toEqual(['Both', 'Stays']);
    await expectTrueCounts(one.database);
    expect(await findWrongCounts(one.database.reads)).toEqual([]);
  });

  test('are empty rows where the last alert is gone, which no list shows and the merge removes', async () => {
    const [facets, empty] = [await readFacets(), (await readEmpty()).length];
    const gone = { customer: 'Gone', alertType: 'gone', sourceId: newId(), severity: 'critical' } as const;
    const [id = ''] = await insertAlerts(one.database, [gone]);
    expect(await readFacets()).not.toEqual(facets);
    await members[0]?.send('DELETE', `/api/webhooks/${id}`);
    expect(await readFacets()).toEqual(facets);
    expect(await readEmpty()).toHaveLength(empty + 2);
  });

  test('are merged: one row each, none for names without alerts', async () => {
    expect(await readSlots()).toEqual([0, 1]);
    await mergeCounts(one.database, never);
    expect(await readSlots()).toEqual([0]);
    expect(await one.database.reads.query("SELECT * FROM alert_counts WHERE customer = 'Ghost'")).toEqual([]);
    expect(await readEmpty()).toEqual([]);
    await expectTrueCounts(one.database);
  });

  test('are kept by the statement of the release before, during a rolling restart', async () => {
    const [id = ''] = await insertAlerts(other.database, [{ customer: 'Rolling' }]);
    const columns = 'detail, owner_id, folder_id, status, customer, alert_type, alerts';
    await one.database.transaction(async (tx) => {
      await tx.query('DELETE FROM alerts WHERE id = ?', [id]);
      await tx.query(
        `INSERT INTO alert_counts (${columns}) VALUES (0, '', '', 'pending', '', '', -1), ` +
          "(1, '', '', 'pending', 'Rolling', '', -1), (3, '', '', 'pending', '', '', -1) " +
          'ON DUPLICATE KEY UPDATE alerts = alerts + VALUES(alerts)',
      );
    });
    expect(await readCustomers()).toEqual(['Both', 'Stays']);
    await expectTrueCounts(one.database);
  });

  test('are true after both wrote, merged and counted again at once', async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => round);
    await one.database.transaction((tx) => tx.query('UPDATE alert_counts SET alerts = alerts + 3 WHERE detail = 1'));
    await Promise.all([
      ...rounds.map((round) => post(members[round % 2], round)),
      recount(one.database),
      mergeCounts(other.database, never),
      recount(other.database),
      mergeCounts(one.database, never),
    ]);
    await recount(one.database);
    await expectTrueCounts(one.database);
    await mergeCounts(one.database, never);
    expect(await readSlots()).toEqual([0]);
    await expectTrueCounts(one.database);
    expect(await recount(other.database)).toEqual([]);
  });
});
