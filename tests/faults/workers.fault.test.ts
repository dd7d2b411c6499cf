import { setTimeout as delay } from 'node:timers/promises';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { type MainProcess, startMain } from '#tests/support/main-process.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { type TestPlace, makeMigratedPlace } from '#tests/support/test-place.ts';

const POSTERS = 8;
/** Five servers start one after the other, on a machine that is busy with other tests. */
const PATIENCE = { timeout: 60_000, interval: 20 };

interface LogLine {
  pid: number;
  name?: string;
  msg: string;
  path?: string;
}

const linesOf = ({ output }: MainProcess): LogLine[] =>
  output.out
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);

/** Processes of a worker's place that listened, in order. */
const pidsOf = (main: MainProcess, name: string): number[] =>
  linesOf(main).flatMap((line) => (line.name === name && line.msg === 'listening' ? [line.pid] : []));

const newAlerts = ({ events }: LiveClient): number => events.filter(({ type }) => type === 'new_alert').length;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Alerts that were posted by several at once, until they are stopped. */
interface Load {
  acknowledged: string[];
  /** Requests that had another answer, or none. */
  failures: string[];
  stop(): Promise<void>;
}

function startLoad(client: TestClient, key: string): Load {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  const stopped = new AbortController();
  const posters = Array.from({ length: POSTERS }, async (_, poster) => {
    for (let number = 0; !stopped.signal.aborted; number += 1) {
      try {
        const response = await client.post(key, { title: `Alert ${poster}-${number}` });
        const body: unknown = await response.json();
        if (response.status === 202) acknowledged.push(webhookReceiptSchema.parse(body).id);
        else failures.push(`${response.status}`);
      } catch (error) {
        failures.push(String(error));
      }
      await delay(5);
    }
  });
  return {
    acknowledged,
    failures,
    async stop() {
      stopped.abort();
      await Promise.all(posters);
    },
  };
}

describe.runIf(hasCluster)('two workers', () => {
  let place: TestPlace;
  let redis: TestRedis;
  beforeAll(async () => {
    [place, redis] = await Promise.all([makeMigratedPlace(), startRedis()]);
  });
  afterAll(() => Promise.all([place.remove(), redis.stop()]));

  const start = (environment: Record<string, string> = {}) =>
    startMain(place, { WORKERS: '2', REDIS_URL: redis.url, ADMIN_EMAIL: ADMIN.email, ...environment });

  test('start once, serve together, and lose nothing that was answered when one is killed, all are replaced or stopped', async () => {
    const main = start();
    await expect.poll(() => main.output.out, PATIENCE).toMatch(/"workers":2,"msg":"listening"/);
    const notices = main.output.out.match(/is running at \S+/g) ?? [];
    expect(notices).toHaveLength(1);
    expect(main.output.out.match(/Password: \S+/g)).toHaveLength(1);
    expect(main.output.out).toContain('Served by 2 workers');
    const url = notices[0]?.split(' ').at(-1) ?? '';
    const password = /Password: (?<password>\S+)/.exec(main.output.out)?.groups?.['password'] ?? '';

    const admin = new TestClient(url);
    await admin.signIn(ADMIN.email, password);
    const { plainKey: key } = createdApiKeySchema.parse(
      await (await admin.send('POST', '/api/api-keys', { name: 'Load' })).json(),
    );
    const metric = async (series: string) => metricValue(await (await admin.get('/metrics')).text(), series);

    // Connections go to the workers in turn.
    const pages: LiveClient[] = [];
    for (let count = 0; count < 4; count += 1) pages.push(await listenLive(admin));
    onTestFinished(() => pages.forEach(({ socket }) => socket.terminate()));
    expect(await metric('alertdesk_live_sockets')).toBe(4);
    expect(await metric('alertdesk_workers')).toBe(2);
    expect(await metric('alertdesk_cluster_servers')).toBe(2);
    for (const path of ['/api/auth/session', '/api/auth/session', '/api/auth/session', '/api/auth/session']) {
      await admin.get(path, { Connection: 'close' });
    }
    const answered = () => linesOf(main).flatMap(({ path, name }) => (path === '/api/auth/session' ? [name] : []));
    await expect.poll(() => new Set(answered()).size, PATIENCE).toBe(2);

    const load = startLoad(admin, key);
    const more = (alerts: number) => {
      const enough = load.acknowledged.length + alerts;
      return expect.poll(() => load.acknowledged.length, PATIENCE).toBeGreaterThan(enough);
    };
    await more(50);
    for (const page of pages) await expect.poll(() => newAlerts(page), PATIENCE).toBeGreaterThan(50);

    const accepted = 'alertdesk_ingest_alerts_total{outcome="accepted"}';
    const before = (await metric(accepted)) ?? 0;
    const [killed = 0] = pidsOf(main, 'worker 2');
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => isRunning(killed), PATIENCE).toBe(false);
    // What it had counted stays in the sum, before others have counted as much.
    expect(await metric(accepted)).toBeGreaterThanOrEqual(before);
    await more(100);
    await expect.poll(() => pidsOf(main, 'worker 2').length, PATIENCE).toBe(2);
    expect(pidsOf(main, 'worker 1')).toHaveLength(1);
    // Requests that it had taken, and nobody else's.
    expect(load.failures.length).toBeLessThanOrEqual(POSTERS);
    expect(await metric('alertdesk_worker_restarts_total')).toBe(1);

    load.failures.length = 0;
    main.child.kill('SIGUSR2');
    const readiness = new Set<number>();
    const isReplaced = async () => {
      readiness.add((await admin.get('/readyz', { Connection: 'close' })).status);
      return pidsOf(main, 'worker 2').length === 3;
    };
    await expect.poll(isReplaced, PATIENCE).toBe(true);
    await more(100);
    expect(load.failures).toEqual([]);
    // A proxy goes on sending requests here.
    expect(readiness).toEqual(new Set([200]));
    expect(await metric('alertdesk_worker_restarts_total')).toBe(1);

    const pids = [...pidsOf(main, 'worker 1'), ...pidsOf(main, 'worker 2')];
    expect(pids).toHaveLength(5);
    main.child.kill('SIGTERM');
    expect(await main.ended).toBe(0);
    await load.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(main.output.err).toBe('');

    const database = await createConnection(place.databaseUrl ?? '');
    onTestFinished(() => database.end());
    const [rows] = await database.query<RowDataPacket[]>('SELECT id FROM alerts');
    const stored = new Set(rows.map((row) => String(row['id'])));
    expect(load.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const [servers] = await database.query<RowDataPacket[]>('SELECT id FROM servers');
    expect(servers).toEqual([]);
  });

  test('end by themselves when the process that started them is killed', async () => {
    const main = start({ ADMIN_PASSWORD: ADMIN.password });
    await expect.poll(() => main.output.out, PATIENCE).toMatch(/"workers":2,"msg":"listening"/);
    const all = () => [...pidsOf(main, 'worker 1'), ...pidsOf(main, 'worker 2')];
    await expect.poll(() => all().length, PATIENCE).toBe(2);
    const pids = all();
    main.child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isRunning), PATIENCE).toEqual([]);
    const database = await createConnection(place.databaseUrl ?? '');
    onTestFinished(() => database.end());
    // They have said so, so nobody waits for them.
    expect(await database.query('SELECT id FROM servers').then(([rows]) => rows)).toEqual([]);
  });

  test('that cannot start say why once', async () => {
    const { port } = new URL(redis.url);
    const main = start({ PORT: port });
    expect(await main.ended).toBe(1);
    expect(main.output.err).toBe(
      `Alertdesk cannot listen on 127.0.0.1:${port}: the port is occupied by another program. Set HOST or PORT.\n`,
    );
    expect(main.output.out).not.toContain('is running at');
  });
});
