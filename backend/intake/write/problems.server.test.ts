import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SourceSecretEntity } from '#backend/intake/sources/source-entity.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createAlertWriter } from './alert-writer.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import type { ProblemPolicy } from './problems.ts';
import { createBatchWriter } from './write-batch.ts';

let server: TestServer;
let admin: TestClient;
let source: IncomingDelivery['source'];
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const created = await (await admin.send('POST', '/api/api-keys', { name: 'Alertmanager' })).json();
  const secret = await server.database.reads
    .getRepository(SourceSecretEntity)
    .findOneByOrFail({ sourceId: created.id });
  source = { id: created.id, name: 'Alertmanager', secretId: secret.id };
});
afterAll(() => server.destroy());

const START = Date.now();
const MINUTE = 60_000;

type Report = Partial<IncomingEvent> & { body?: unknown };

const eventOf = ({ body = {}, ...report }: Report = {}): IncomingEvent => ({
  ...plainEvent({
    payload: jsonText(JSON.stringify(body)),
    extraData: jsonText('{}'),
    customer: 'Nordwind',
    alertType: 'Disk',
    url: '/webhook',
  }),
  title: 'Disk full on db-7',
  severity: 'warning',
  state: 'firing',
  dedupKey: 'disk-db-7',
  ...report,
});

/** A sender in front of a writer of its own, as one server has it, with the events that it publishes. */
function sender(policy: Partial<ProblemPolicy> = {}) {
  const { database, changes: published } = catchChanges(server.database);
  const writer = createAlertWriter({
    writeBatch: createBatchWriter(database),
    dialect: database.dialect,
    logger: createLogger('silent'),
  });
  const deliver = async (at: number, ...reports: Report[]) => {
    const delivery: IncomingDelivery = {
      source,
      policy: { ...DEFAULT_POLICY, ...policy },
      receivedAt: START + at,
      events: reports.map(eventOf),
    };
    return writer.write(delivery);
  };
  return { deliver, published };
}

const stored = async (id: string | null | undefined): Promise<StoredAlert> => {
  const alert = await server.database.reads.getRepository(AlertEntity).findOneBy({ id: id ?? '' });
  if (!alert) throw new Error('There is no such alert.');
  return alert;
};

const actionsOf = async (id: string) =>
  historySchema
    .parse(await (await admin.get(`/api/alerts/${id}/history`)).json())
    .map(({ action, occurrences }) => (occurrences === undefined ? action : `${action} ${occurrences}`))
    .toReversed();

describe('a problem that is reported again while its alert is open', () => {
  test('is one alert with a count, the newest payload beside the first, and nothing of the owner changed', async () => {
    const { deliver, published } = sender();
    const dedupKey = newId();
    const [first] = await deliver(0, { dedupKey, body: { value: 1 } });
    const id = first?.alertId ?? '';
    await admin.send('POST', `/api/alerts/${id}/accept`);
    const [again] = await deliver(MINUTE, {
      dedupKey,
      body: { value: 2 },
      title: 'Disk is still full',
      customer: 'Other',
    });
    expect(again).toEqual({ outcome: 'repeated', alertId: id, receivedAt: START + MINUTE, occurrences: 2 });
    expect(await stored(id)).toMatchObject({
      status: 'accepted',
      ownerId: admin.id,
      customer: 'Nordwind',
      title: 'Disk is still full',
      payload: '{"value":1}',
      latestPayload: '{"value":2}',
      occurrences: 2,
      receivedAt: START,
      lastSeenAt: START + MINUTE,
    });
    expect(published.map(({ type }) => type)).toEqual(['new_alert', 'alert_updated']);
    expect(published[1]).toMatchObject({ reason: 'repeated', alert: { ownerId: admin.id } });
    expect(await actionsOf(id)).toEqual(['received', 'accepted', 'repeated 1']);
    await deliver(2 * MINUTE, { dedupKey }, { dedupKey });
    expect(await actionsOf(id)).toEqual(['received', 'accepted', 'repeated 3']);
  });

  test('within one batch, and within one delivery, too', async () => {
    const { deliver } = sender();
    const dedupKey = newId();
    const results = await Promise.all([
      deliver(0, { dedupKey }, { dedupKey }),
      deliver(1, { dedupKey }),
      deliver(2, { dedupKey }),
    ]);
    const ids = new Set(results.flat().map(({ alertId }) => alertId));
    expect(ids.size).toBe(1);
    expect(results.flat().map(({ outcome }) => outcome)).toEqual(['new', 'repeated', 'repeated', 'repeated']);
    expect(await stored([...ids][0])).toMatchObject({ occurrences: 4, lastSeenAt: START + 2 });
  });

  test('notifies again when its severity rises, and after a quiet time where the source says so', async () => {
    const { deliver, published } = sender({ notifyAgainAfterMs: 10 * MINUTE });
    const dedupKey = newId();
    await deliver(0, { dedupKey });
    await deliver(MINUTE, { dedupKey, severity: 'critical' });
    await deliver(2 * MINUTE, { dedupKey, severity: 'info' });
    await deliver(13 * MINUTE, { dedupKey, severity: 'info' });
    expect(published.slice(1).map((event) => event.type === 'alert_updated' && event.reason)).toEqual([
      'escalated',
      'repeated',
      'notify_again',
    ]);
    const silent = sender();
    await silent.deliver(60 * MINUTE, { dedupKey, severity: 'info' });
    expect(silent.published).toMatchObject([{ reason: 'repeated' }]);
  });

  test('keeps the key of another source, and events without a lifecycle, apart', async () => {
    const { deliver } = sender();
    const dedupKey = newId();
    const [one] = await deliver(0, { dedupKey });
    const [two] = await deliver(1, { dedupKey, state: 'event' });
    expect(two).toMatchObject({ outcome: 'new' });
    const [three] = await deliver(2, { dedupKey: null });
    expect(new Set([one, two, three].map((result) => result?.alertId)).size).toBe(3);
  });

  test('an acknowledgement by the sender is a state, not an occurrence', async () => {
    const { deliver } = sender();
    const dedupKey = newId();
    const [first] = await deliver(0, { dedupKey });
    expect(await deliver(1, { dedupKey, state: 'acknowledged' })).toMatchObject([{ outcome: 'acknowledged' }]);
    expect(await stored(first?.alertId)).toMatchObject({ state: 'acknowledged', occurrences: 1, status: 'pending' });
  });
});

describe('a problem that is resolved', () => {
  test('completes an alert that nobody accepted, and opens again within the time to reopen', async () => {
    const { deliver, published } = sender({ reopenWithinMs: 15 * MINUTE });
    const dedupKey = newId();
    const [first] = await deliver(0, { dedupKey });
    const id = first?.alertId ?? '';
    expect(await deliver(MINUTE, { dedupKey, state: 'resolved' })).toMatchObject([
      { outcome: 'resolved', alertId: id },
    ]);
    expect(await stored(id)).toMatchObject({
      status: 'completed',
      ownerId: null,
      state: 'resolved',
      severity: 'warning',
      resolvedAt: START + MINUTE,
      completedAt: START + MINUTE,
    });
    expect(await deliver(2 * MINUTE, { dedupKey })).toMatchObject([
      { outcome: 'reopened', alertId: id, occurrences: 2 },
    ]);
    expect(await stored(id)).toMatchObject({ status: 'pending', state: 'firing', resolvedAt: null, completedAt: null });
    expect(published.map(({ type }) => type)).toEqual([
      'new_alert',
      'alert_updated',
      'alert_unaccepted',
      'alert_updated',
    ]);
    expect(await actionsOf(id)).toEqual(['received', 'resolved', 'reopened']);
    await expectTrueCounts(server.database);
  });

  test('makes a new alert that links to the earlier one when it fires later', async () => {
    const { deliver } = sender({ reopenWithinMs: 15 * MINUTE });
    const dedupKey = newId();
    const [first] = await deliver(0, { dedupKey });
    await deliver(MINUTE, { dedupKey, state: 'resolved' });
    const [later] = await deliver(17 * MINUTE, { dedupKey });
    expect(later).toMatchObject({ outcome: 'new' });
    expect(await stored(later?.alertId)).toMatchObject({ previousAlertId: first?.alertId, occurrences: 1 });
    expect(await deliver(18 * MINUTE, { dedupKey })).toMatchObject([{ outcome: 'repeated', alertId: later?.alertId }]);
  });

  test('stays with who accepted it, and where the source keeps it in the inbox', async () => {
    const { deliver, published } = sender({ completesResolved: false });
    const dedupKey = newId();
    const [kept] = await deliver(0, { dedupKey });
    await deliver(1, { dedupKey, state: 'resolved' });
    expect(await stored(kept?.alertId)).toMatchObject({ status: 'pending', state: 'resolved' });
    expect(await deliver(2, { dedupKey, state: 'resolved' })).toMatchObject([{ outcome: 'resolved' }]);
    expect(published.map(({ type }) => type)).toEqual(['new_alert', 'alert_updated']);

    const owned = sender();
    const other = newId();
    const [mine] = await owned.deliver(0, { dedupKey: other });
    await admin.send('POST', `/api/alerts/${mine?.alertId}/accept`);
    await owned.deliver(1, { dedupKey: other, state: 'resolved' });
    expect(await stored(mine?.alertId)).toMatchObject({ status: 'accepted', ownerId: admin.id, state: 'resolved' });
    expect(owned.published.at(-1)).toMatchObject({ type: 'alert_updated', reason: 'resolved' });
    expect(await owned.deliver(2, { dedupKey: other })).toMatchObject([{ outcome: 'repeated' }]);
    expect(await stored(mine?.alertId)).toMatchObject({ state: 'firing', resolvedAt: null });
  });

  test('and is not open only gets a result, and a deleted alert is made again', async () => {
    const { deliver, published } = sender();
    const dedupKey = newId();
    expect(await deliver(0, { dedupKey, state: 'resolved' })).toMatchObject([
      { outcome: 'nothing-open', alertId: null },
    ]);
    expect(published).toEqual([]);
    const [first] = await deliver(1, { dedupKey });
    await admin.send('DELETE', `/api/webhooks/${first?.alertId}`);
    expect(await deliver(2, { dedupKey, state: 'resolved' })).toMatchObject([{ outcome: 'nothing-open' }]);
    const [second] = await deliver(3, { dedupKey });
    expect(second).toMatchObject({ outcome: 'new' });
    expect(await stored(second?.alertId)).toMatchObject({ previousAlertId: null });
  });
});

test('two servers that report the same problems at the same moment never make two open alerts', async () => {
  const keys = Array.from({ length: 12 }, newId);
  const servers = [sender(), sender()];
  const rounds = 8;
  const results = await Promise.all(
    servers.flatMap(({ deliver }, one) =>
      Array.from({ length: rounds }, (_, round) =>
        deliver(round, ...keys.map((dedupKey) => ({ dedupKey, body: { one, round } }))),
      ),
    ),
  );
  const alerts = await server.database.reads
    .getRepository(AlertEntity)
    .find({ where: keys.map((dedupKey) => ({ dedupKey })) });
  expect(alerts.length).toBe(keys.length);
  for (const alert of alerts) expect(alert).toMatchObject({ occurrences: 2 * rounds, status: 'pending' });
  expect(results.flat().filter(({ outcome }) => outcome === 'new').length).toBe(keys.length);
  await expectTrueCounts(server.database);
});

test('a person who completes the alert and a sender who repeats it leave one true alert', async () => {
  const { deliver } = sender({ reopenWithinMs: 0 });
  for (let round = 0; round < 10; round += 1) {
    const dedupKey = newId();
    const [first] = await deliver(0, { dedupKey });
    await admin.send('POST', `/api/alerts/${first?.alertId}/accept`);
    const [[again]] = await Promise.all([
      deliver(1, { dedupKey }),
      admin.send('PATCH', `/api/webhooks/${first?.alertId}/status`, { status: 'completed' }),
    ]);
    const alert = await stored(first?.alertId);
    expect(alert).toMatchObject({ status: 'completed', ownerId: admin.id });
    expect([again?.outcome, alert.occurrences]).toEqual(
      again?.alertId === first?.alertId ? ['repeated', 2] : ['new', 1],
    );
  }
  await expectTrueCounts(server.database);
});

test('a storm of one problem is one alert', async () => {
  const { deliver, published } = sender();
  const dedupKey = newId();
  await Promise.all(Array.from({ length: 2_000 }, (_, index) => deliver(index, { dedupKey })));
  const alerts = await server.database.reads.getRepository(AlertEntity).findBy({ dedupKey });
  expect(alerts).toMatchObject([{ occurrences: 2_000 }]);
  // One event for each commit, not for each report.
  expect(published.length).toBeLessThan(50);
  expect((await actionsOf(alerts[0]?.id ?? '')).at(-1)).toBe('repeated 1999');
});
