import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#backend/server/config.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { startServer } from '#backend/server/server.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { listening, startMain } from '#tests/support/main-process.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { TestClient } from '#tests/support/test-client.ts';

let place: Awaited<ReturnType<typeof makeTestPlace>>;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

const start = (environment: Record<string, string>) => startMain(place, environment);

async function startAndWait(environment: Record<string, string> = {}) {
  const started = start(environment);
  return { ...started, ...(await listening(started)) };
}

test('the first start prints the credentials, the second does not', async () => {
  const first = await startAndWait({ DATA_DIR: join(place.dataDir, 'new') });
  expect(first.output.out).toContain('E-mail:   admin@alertdesk.local');
  const address = /Sign in: {2}(?<address>\S+)/.exec(first.output.out)?.groups?.['address'] ?? '';
  expect(address).toMatch(new RegExp(`^${first.url}/login#setup=[\\w-]{43}$`));
  await new TestClient(first.url).signIn('admin@alertdesk.local', first.password);
  expect((await stat(join(place.dataDir, 'new'))).mode & 0o777).toBe(0o700);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  // SQLite removes its log when the database is closed, the last thing that a stop does.
  expect(existsSync(join(place.dataDir, 'new', `${SQLITE_FILE}-wal`))).toBe(false);

  const second = await startAndWait({ DATA_DIR: join(place.dataDir, 'new') });
  expect(second.output.out).not.toContain('Password');
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test('a misspelled setting is named in the log, without its value', async () => {
  const { output, child, ended } = await startAndWait({ RETENTION_DAY: '1234321', LANGUAGE: 'en' });
  const warnings = output.out.split('\n').filter((line) => line.includes('looks like a misspelled one'));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, variable: 'RETENTION_DAY', meant: 'RETENTION_DAYS' },
  ]);
  expect(output.out + output.err).not.toContain('1234321');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('the first start prints an address that the server answers under', async () => {
  const first = await startAndWait({ ALLOWED_HOSTS: 'localhost' });
  const address = /Sign in: {2}(?<address>\S+)/.exec(first.output.out)?.groups?.['address'] ?? '';
  expect((await fetch(new URL('/healthz', address))).status).toBe(200);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
});

test('SIGTERM under load loses nothing that was acknowledged', async () => {
  const first = await startAndWait();
  const admin = new TestClient(first.url);
  await admin.signIn('admin@alertdesk.local', first.password);
  const { plainKey } = (await (await admin.send('POST', '/api/api-keys', { name: 'Load' })).json()) as {
    plainKey: string;
  };

  const acknowledged: string[] = [];
  let isPosting = true;
  const poster = async () => {
    // So few that the inbox lists all of them.
    while (isPosting && acknowledged.length < 5_000) {
      const response = await admin.post(plainKey, { customer: 'Nordwind' }).catch(() => undefined);
      if (response?.status === 202) acknowledged.push(((await response.json()) as { id: string }).id);
      else if (!response) isPosting = false;
    }
  };
  const posters = Array.from({ length: 10 }, poster);
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(200);
  const stoppedAt = Date.now();
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(10_000);
  await Promise.all(posters);

  const second = await startAndWait();
  const again = new TestClient(second.url);
  await again.signIn('admin@alertdesk.local', first.password);
  const stored = (await again.alerts('/api/alerts/inbox')).map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
  const inStore = new Set(stored);
  expect(acknowledged.filter((id) => !inStore.has(id))).toEqual([]);
  second.child.kill('SIGTERM');
  await second.ended;
});

test('a database that goes away during the start ends it in one sentence', async () => {
  const code = place.databaseUrl ? 'ECONNREFUSED' : 'SQLITE_IOERR_READ';
  const config = readConfig({
    PORT: '0',
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
  });
  const createWriter = () => {
    throw Object.assign(new Error('gone'), { code });
  };
  const outcome = await startServer(config, createLogger('silent'), { createWriter }).catch((error: unknown) => error);
  expect(outcome).toEqual(
    new StartError(`The database went away while Alertdesk was starting (${code}); start it again once it is back.`),
  );
});
