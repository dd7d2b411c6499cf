import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import { BATCH_ALERTS, type RetentionDeps, startRetention, sweep } from './retention.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { forgetClock, idsAreNoted } from '#tests/support/forget-clock.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const DAYS = 30;
const DAYS_MS = DAYS * 24 * 60 * 60 * 1000;

let server: TestServer;
let anna: TestClient;
let admin: TestClient;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn();
  admin = await server.signedIn({ role: 'admin' });
  key = await server.addApiKey();
});
afterEach(() => expectTrueCounts(server.database));
afterAll(() => server.destroy());

const accept = async () => {
  const { id } = await anna.postAlert(key);
  await anna.send('POST', `/api/alerts/${id}/accept`);
  return id;
};
const setStatus = (id: string, status: string) => anna.send('PATCH', `/api/webhooks/${id}/status`, { status });
const complete = async () => {
  const id = await accept();
  await setStatus(id, 'completed');
  return id;
};
const isStored = async (id: string) => (await server.database.reads.getRepository(AlertEntity).countBy({ id })) === 1;
const historyOf = (alertId: string) => server.database.reads.getRepository(HistoryEntity).countBy({ alertId });

/** A moment after everything so far, and before everything that follows. */
async function momentBetween(): Promise<number> {
  const moment = Date.now() + 1;
  await vi.waitUntil(() => Date.now() >= moment);
  return moment;
}

/** The dependencies of a sweep that takes place DAYS after a moment. */
function depsOf(moment: number, more: Partial<RetentionDeps> = {}): RetentionDeps {
  return {
    database: server.database,
    logger: createLogger('silent'),
    days: DAYS,
    now: () => moment + DAYS_MS,
    ...more,
  };
}
const sweepAfter = (moment: number, more?: Partial<RetentionDeps>) =>
  sweep(depsOf(moment, more), new AbortController().signal);

/** Many completed alerts, made at once. */
async function completeMany(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, at) => anna.postAlert(key, { customer: `Customer ${at % 7}` })));
  await server.database.transaction(async (tx) => {
    const alerts = tx.getRepository(AlertEntity);
    const pending = await alerts.findBy({ status: 'pending' });
    const completed = { status: 'completed', ownerId: anna.id } as const;
    await alerts.update({ status: 'pending' }, completed);
    const changes = pending.map((before) => ({ before, after: { ...before, ...completed } }));
    await countChanges(tx, changes);
  });
}

describe('what is old', () => {
  test('is what was completed and not touched since; with its history it is gone', async () => {
    const folder = await anna.send('POST', '/api/folders', { name: 'Done', color: 'blue' });
    const { id: folderId } = folderSchema.parse(await folder.json());
    const [old, oldToo, openedAgain, moved] = [await complete(), await complete(), await complete(), await complete()];
    const [working, justAccepted, lateCompleted] = [await accept(), await accept(), await accept()];
    await setStatus(working, 'in-progress');
    const { id: pending } = await anna.postAlert(key);
    const moment = await momentBetween();
    await setStatus(openedAgain, 'in-progress');
    await anna.send('PATCH', `/api/webhooks/${moved}/move`, { folderId });
    await setStatus(lateCompleted, 'completed');
    const young = await complete();

    expect(await sweepAfter(moment)).toBe(2);
    for (const id of [old, oldToo]) {
      expect(await isStored(id)).toBe(false);
      expect(await historyOf(id)).toBe(0);
    }
    for (const id of [openedAgain, moved, working, justAccepted, lateCompleted, pending, young]) {
      expect(await isStored(id)).toBe(true);
      expect(await (await admin.get(`/api/alerts/${id}/history`)).json()).not.toEqual([]);
    }
    expect(await sweepAfter(moment)).toBe(0);
  });

  test('is published to the live clients, once', async () => {
    const id = await complete();
    const { database, changes } = catchChanges(server.database);
    await sweepAfter(await momentBetween(), { database });
    expect(changes.filter((change) => 'alertId' in change && change.alertId === id)).toEqual([
      { type: 'alert_deleted', alertId: id },
    ]);
    expect((await admin.get(`/api/alerts/${id}/history`)).status).toBe(404);
  });
});

/** What the audit trail says of deleted alerts, newest first. */
async function trail() {
  const entries = z.array(auditEntrySchema).parse(await (await admin.get('/api/audit?limit=500')).json());
  return entries.filter(({ action }) => action === 'alerts_expired');
}

describe('many', () => {
  test('are deleted a few at a time, and the audit trail says how many in all', async () => {
    await completeMany(BATCH_ALERTS * 2 + 30);
    const before = (await trail()).length;
    const moment = await momentBetween();
    const { id: pending } = await anna.postAlert(key);
    const batches: number[] = [];
    const deleted = await sweepAfter(moment, { observe: (alerts) => batches.push(alerts) });
    expect(batches[0]).toBe(BATCH_ALERTS);
    expect(batches.every((alerts) => alerts <= BATCH_ALERTS)).toBe(true);
    expect(batches.reduce((sum, alerts) => sum + alerts, 0)).toBe(deleted);
    expect(deleted).toBeGreaterThanOrEqual(BATCH_ALERTS * 2 + 30);
    expect(await isStored(pending)).toBe(true);
    // The first batch at once, the others at the end: no entry is changed.
    const entries = (await trail()).slice(0, -before || undefined);
    const counts = [deleted - BATCH_ALERTS, BATCH_ALERTS];
    expect(entries).toMatchObject(
      counts.map((alerts) => ({
        actorId: null,
        actorName: 'retention',
        subject: `${alerts} completed alerts without a change since ${new Date(moment).toISOString()}`,
      })),
    );
  });

  test('are left as they are where a stop comes between', async () => {
    await completeMany(BATCH_ALERTS + 50);
    const stopping = new AbortController();
    const moment = await momentBetween();
    const deleted = await sweep(depsOf(moment, { observe: () => stopping.abort() }), stopping.signal);
    expect(deleted).toBe(BATCH_ALERTS);
    expect((await trail())[0]?.subject).toMatch(new RegExp(`^${BATCH_ALERTS} completed alerts`));
    expect(await sweepAfter(moment)).toBeGreaterThanOrEqual(50);
  });
});

describe('again and again', () => {
  test('until it is stopped, and after a failure too', async () => {
    let failures = 0;
    const database = {
      ...server.database,
      transaction: (work: Parameters<typeof server.database.transaction>[0]) => {
        failures += 1;
        return failures === 1 ? Promise.reject(new Error('no database')) : server.database.transaction(work);
      },
    } as typeof server.database;
    const first = await complete();
    const late = Date.now() + DAYS_MS;
    const retention = startRetention(depsOf(late, { database, intervalMs: 5 }));
    await expect.poll(() => isStored(first)).toBe(false);
    const second = await complete();
    await expect.poll(() => isStored(second)).toBe(false);
    await retention.stop();
    const third = await complete();
    expect(failures).toBeGreaterThan(2);
    const attempts = failures;
    // It was looked for every 5 ms.
    await wait(500);
    expect(await isStored(third)).toBe(true);
    expect(failures).toBe(attempts);
  });
});

const hoursAgo = (hours: number) => Date.now() - hours * 60 * 60 * 1000;

describe('the server', () => {
  afterEach(() => vi.useRealTimers());

  test.each([
    ['with RETENTION_DAYS deletes when it starts what is old', { RETENTION_DAYS: '2' }, false],
    ['without RETENTION_DAYS keeps everything', {}, true],
  ])('%s', async (_what, environment: Record<string, string>, isKept) => {
    const [long, short] = [hoursAgo(49), hoursAgo(47)];
    vi.useFakeTimers({ toFake: ['Date'], now: long });
    const own = await startTestServer(environment);
    const member = await own.signedIn();
    const ownKey = await own.addApiKey();
    const completeOne = async () => {
      const { id } = await member.postAlert(ownKey);
      await member.send('POST', `/api/alerts/${id}/accept`);
      await member.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
      return id;
    };
    const old = await completeOne();
    await idsAreNoted(own);
    vi.setSystemTime(short);
    const young = await completeOne();
    await idsAreNoted(own);
    await forgetClock(own);
    vi.useRealTimers();
    const restarted = await own.restart();
    const mine = async () => {
      const all = await (await restarted.signedIn({ role: 'admin' })).get('/api/alerts/all');
      return ((await all.json()) as { id: string }[]).map(({ id }) => id).toSorted();
    };
    await expect.poll(mine).toEqual(isKept ? [old, young].toSorted() : [young]);
    await restarted.destroy();
  });
});
