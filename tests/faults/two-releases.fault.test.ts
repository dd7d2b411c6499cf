import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeTestPlace, openTestDatabase } from '#tests/support/test-place.ts';

/** `OLD_RELEASE=/path/to/an/older/clone`, with its packages installed: this release is rolled out beside it. */
const OLD_RELEASE = process.env['OLD_RELEASE'];

const SENDERS = 8;

/** How long both work, and each of them alone, in milliseconds. */
const TOGETHER_MS = 8_000;
const ALONE_MS = 3_000;

/** Longer than it takes to see that a server has gone, in milliseconds. */
const RETRY_MS = 100;

test.runIf(OLD_RELEASE !== undefined && hasCluster)(
  'this release beside an older one: no alert is lost, sessions and live events are shared, and the older one leaves under load',
  async (context) => {
    const place = await makeTestPlace();
    onTestFinished(() => place.remove());
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const environment = { DATABASE_URL: place.databaseUrl ?? '', REDIS_URL: redis.url, DRAIN_SECONDS: '1' };
    const startRelease = async (project?: string): Promise<ServerProcess> => {
      const server = await startServerProcess({ environment, ...(project && { project }) });
      onTestFinished(() => server.dispose());
      return server;
    };
    const old = await startRelease(OLD_RELEASE);
    const admin = new TestClient(() => serving[0]?.url.origin ?? '');
    let serving = [old];
    await admin.signIn(ADMIN.email, ADMIN.password);
    const made = await admin.send('POST', '/api/api-keys', { name: 'Senders' });
    const { plainKey } = createdApiKeySchema.parse(await made.json());

    const acknowledged: string[] = [];
    const unexpected: string[] = [];
    let retries = 0;
    const over = new AbortController();
    const send = async (sender: number): Promise<void> => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const body = JSON.stringify({ customer: `Customer ${sender}`, number });
        const headers = { 'Content-Type': 'application/json', 'X-Webhook-Auth': plainKey };
        const idempotent = { ...headers, 'Idempotency-Key': `${sender}-${number}` };
        for (;;) {
          const server = serving[(sender + number) % serving.length];
          const response = await fetch(`${server?.url.origin}/webhook`, {
            method: 'POST',
            headers: idempotent,
            body,
          }).catch(() => undefined);
          if (response?.status === 202) {
            acknowledged.push(((await response.json()) as { id: string }).id);
            break;
          }
          if (response && response.status !== 503) unexpected.push(`${response.status} ${await response.text()}`);
          retries += 1;
          await delay(RETRY_MS);
        }
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));

    await delay(ALONE_MS);
    // It migrates the database under the older one's work.
    const young = await startRelease();
    serving = [old, young];
    const at = (server: ServerProcess): TestClient => {
      const same = new TestClient(server.url.origin);
      for (const [name, value] of admin.cookies) same.cookies.set(name, value);
      return same;
    };
    const [atOld, atYoung] = [at(old), at(young)];
    expect([(await atOld.get('/api/auth/session')).status, (await atYoung.get('/api/auth/session')).status]).toEqual([
      200, 200,
    ]);
    const [pageOfOld, pageOfYoung] = [await listenLive(atOld), await listenLive(atYoung)];
    await delay(TOGETHER_MS);
    const id = acknowledged.at(-1) ?? '';
    expect((await atOld.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
    expect((await atYoung.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' })).status).toBe(200);
    for (const page of [pageOfOld, pageOfYoung]) {
      await expect
        .poll(() => page.events.some((event) => event.type === 'alert_accepted' && event.alertId === id), {
          timeout: 5_000,
        })
        .toBe(true);
    }

    serving = [young];
    await old.end();
    await delay(ALONE_MS);
    over.abort();
    await sending;
    await context.annotate(`${acknowledged.length} alerts acknowledged, ${retries} requests sent again`);
    expect(unexpected).toEqual([]);
    const total = Number((await atYoung.get('/api/alerts/all?limit=1')).headers.get('X-Total-Count'));
    expect([new Set(acknowledged).size, total]).toEqual([acknowledged.length, acknowledged.length]);
    expect((await atYoung.get('/api/auth/session')).status).toBe(200);
    pageOfOld.socket.terminate();
    pageOfYoung.socket.terminate();
    const database = await openTestDatabase(place);
    onTestFinished(() => database.close());
    await expectTrueCounts(database);
  },
);
