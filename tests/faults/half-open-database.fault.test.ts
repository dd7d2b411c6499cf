import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepSending, newLedger, reportOf } from '#tests/support/ledger.ts';
import { type Loss, startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Every answer comes within this long, in milliseconds, whatever becomes of packets; the rest is for a busy machine. */
const LONGEST_MS = 5_000 + 1_500;

/** `HALF_OPEN_SECONDS=9` runs this, on a machine that has nothing else to do: it measures times. */
const lostMs = Number(process.env['HALF_OPEN_SECONDS'] ?? 0) * 1_000;

test
  .runIf(process.env['TEST_DIALECT'] === 'mysql')
  .concurrent.for<Loss>(['everything', 'what is there', 'answers', 'every second connection'])(
  'while packets to the database are lost (%s) every answer comes within 5 s, and it recovers',
  async (loss, { onTestFinished, annotate }) => {
    let proxy: Awaited<ReturnType<typeof startTcpProxy>> | undefined;
    const server = await startTestServer({}, {}, async (databaseUrl) => {
      const url = new URL(databaseUrl);
      proxy = await startTcpProxy(Number(url.port));
      return Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) }).href;
    });
    onTestFinished(async () => {
      proxy?.lose('none');
      await server.destroy();
      await proxy?.close();
    });
    const key = await server.addApiKey();
    const member = await server.signedIn();
    const done = new AbortController();
    const alerts = newLedger();
    const folders = newLedger();
    const waits: { path: string; status: number; ms: number }[] = [];
    const read = async (path: string) => {
      for (; !done.signal.aborted; await delay(100)) {
        const startedAt = performance.now();
        const { status } = await member.get(path);
        waits.push({ path, status, ms: performance.now() - startedAt });
      }
    };
    const load = Promise.all([
      ...Array.from({ length: 6 }, () =>
        keepSending(alerts, done.signal, 202, (number) => member.post(key, { number })),
      ),
      ...Array.from({ length: 6 }, () =>
        keepSending(folders, done.signal, 201, () =>
          member.send('POST', '/api/folders', { name: crypto.randomUUID(), color: 'blue', icon: 'folder' }),
        ),
      ),
      ...['/api/alerts/inbox', '/api/folders', '/api/auth/session', '/readyz', '/api/audit'].map(read),
    ]);
    await waitFor(() => expect(alerts.acknowledged.length).toBeGreaterThan(50));
    proxy?.lose(loss);
    await delay(lostMs);
    proxy?.lose('none');
    const before = alerts.acknowledged.length;
    await waitFor(() => expect(alerts.acknowledged.length).toBeGreaterThan(before + 50));
    done.abort();
    await load;
    const slow = waits.filter(({ ms }) => ms > LONGEST_MS);
    await annotate(
      `${loss}: alerts: ${reportOf(alerts)}; folders: ${reportOf(folders)}; reads: ${waits.length}, longest ${Math.round(Math.max(...waits.map(({ ms }) => ms)))} ms`,
    );
    expect({
      slow,
      alerts: alerts.unexpected,
      folders: folders.unexpected.filter((text) => !text.startsWith('422')),
    }).toEqual({ slow: [], alerts: [], folders: [] });
    expect(Math.max(alerts.longestMs, folders.longestMs)).toBeLessThan(LONGEST_MS);
  },
);
