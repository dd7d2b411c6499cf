import { readFileSync, readdirSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { keepSending, newLedger, reportOf } from '#tests/support/ledger.ts';
import { findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const POSTERS = 16;
const ROUNDS = 2;

/** Every answer comes within this long, whatever the database does. */
const LONGEST_MS = 5_000;

/** More for the round trip on a busy machine. */
const ON_A_BUSY_MACHINE_MS = 1_500;

const program = process.env['TEST_DIALECT'] === 'mysql' ? findMariaDb() : undefined;

/** The states of a process's threads, each once: `T` alone when all have stopped. Source: proc_pid_stat(5). */
function statesOf(pid: number): string[] {
  const stats = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'latin1'));
  return [...new Set(stats.map((stat) => stat.charAt(stat.lastIndexOf(')') + 2)))];
}

test.runIf(program)(
  'a database that hangs is a 503 within 5 s, and nothing that was answered is lost',
  async (context) => {
    const mariaDb = await startPrivateMariaDb(program ?? '');
    onTestFinished(mariaDb.stop);
    const signalDatabase = (signal: 'SIGSTOP' | 'SIGCONT') => process.kill(mariaDb.pid ?? 0, signal);
    onTestFinished(() => void signalDatabase('SIGCONT'));
    const connection = await createConnection(mariaDb.url);
    await connection.query('CREATE DATABASE alerts');
    await connection.end();
    const server = await startServerProcess({ environment: { DATABASE_URL: mariaDb.url.replace(/mysql$/, 'alerts') } });
    onTestFinished(() => server.dispose());
    const admin = new TestClient(server.url.origin);
    await admin.signIn(ADMIN.email, ADMIN.password);
    const key = await admin.send('POST', '/api/api-keys', { name: 'Posters' });
    const { plainKey } = createdApiKeySchema.parse(await key.json());

    const post = (number: number) => admin.post(plainKey, { number }, { 'Idempotency-Key': String(number) });
    const folder = (number: number) =>
      admin.send('POST', '/api/folders', { name: `Folder ${number}`, color: 'blue', icon: 'folder' });
    /** Asks once, and says what came back and whether it came in time. */
    const ask = async (path: string) => {
      const startedAt = performance.now();
      const response = await admin.get(path);
      await response.text();
      const isInTime = performance.now() - startedAt < LONGEST_MS + ON_A_BUSY_MACHINE_MS;
      return { path, status: response.status, isInTime, retry: Number(response.headers.get('Retry-After')) > 0 };
    };
    const paths = ['/readyz', '/api/alerts/inbox', '/api/folders'];
    const alerts = newLedger();
    const folders = newLedger();
    const acknowledged = (more: number) => {
      const enough = alerts.acknowledged.length + more;
      return waitFor(() => expect(alerts.acknowledged.length).toBeGreaterThan(enough), { timeout: 30_000 });
    };
    const done = new AbortController();
    const senders = [
      ...Array.from({ length: POSTERS }, () => keepSending(alerts, done.signal, 202, post)),
      keepSending(folders, done.signal, 201, folder),
    ];
    try {
      await acknowledged(100);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const refusedBefore = alerts.refused;
        signalDatabase('SIGSTOP');
        await waitFor(() => expect(statesOf(mariaDb.pid ?? 0)).toEqual(['T']), { interval: 5 });
        const refused = paths.map((path) => ({ path, status: 503, isInTime: true, retry: true }));
        // The first time it has to be found out, the second time it is known.
        expect(await Promise.all(paths.map(ask))).toEqual(refused);
        expect(await Promise.all(paths.map(ask))).toEqual(refused);
        await waitFor(() => expect(alerts.refused).toBeGreaterThan(refusedBefore + 2 * POSTERS), {
          timeout: 30_000,
        });
        signalDatabase('SIGCONT');
        await acknowledged(100);
        expect((await ask('/readyz')).status).toBe(200);
      }
    } finally {
      done.abort();
      signalDatabase('SIGCONT');
      await Promise.all(senders);
    }
    await context.annotate(`alerts: ${reportOf(alerts)}; folders: ${reportOf(folders)}`);
    expect([...alerts.unexpected, ...folders.unexpected]).toEqual([]);
    expect(Math.max(alerts.longestMs, folders.longestMs)).toBeLessThan(LONGEST_MS + ON_A_BUSY_MACHINE_MS);

    const before = await readInbox(server.url);
    expect(alerts.acknowledged.filter((id) => !before.ids.includes(id))).toEqual([]);
    // What was refused may be stored or not: sent again under its key, each is there once.
    for (let number = 1; number <= alerts.attempted; number += 1) expect((await post(number)).status).toBe(202);
    const { ids, total } = await readInbox(server.url);
    expect({ stored: new Set(ids).size, rows: ids.length, total }).toEqual({
      stored: alerts.attempted,
      rows: alerts.attempted,
      total: alerts.attempted,
    });
  },
);
