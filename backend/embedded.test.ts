import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { COMPILE_CACHE_DIR, PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { EMBEDDED } from '#tests/support/product-commands.ts';

const PARENT_PORT = pathToFileURL(join(PROJECT_DIR, 'tests', 'support', 'parent-port.mjs')).href;

/** Rejects a promise that nobody handles, when asked to. */
const REJECT = `data:text/javascript,${encodeURIComponent(`
  process.on('message', (order) => {
    if (order === 'reject') void Promise.reject(new Error('nobody waits for it'));
  });
`)}`;

/** Has every port be one that Windows has reserved, as it does for virtual machines: what Node reports then. */
const RESERVED = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  Server.prototype.listen = function () {
    const error = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES', syscall: 'listen' });
    process.nextTick(() => this.emit('error', error));
    return this;
  };
`)}`;

test('an update of older tables is reported step by step, and an empty database has none', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  expect((await runUntilListening(dataDir)).reports).toMatchObject([{ type: 'listening' }]);
  // Each step checks whether it was done, so the last two can be done again.
  const file = new BetterSqlite3(join(dataDir, SQLITE_FILE));
  file.exec('DELETE FROM migrations WHERE id IN (SELECT id FROM migrations ORDER BY id DESC LIMIT 2)');
  file.close();
  expect((await runUntilListening(dataDir)).reports).toMatchObject([
    { type: 'updating', done: 0, total: 2 },
    { type: 'updating', done: 1, total: 2 },
    { type: 'updating', done: 2, total: 2 },
    { type: 'listening' },
  ]);
});

/** What the embedded server on `dataDir` reports until it listens, and what it logs until it has stopped then. */
async function runUntilListening(dataDir: string): Promise<{ reports: unknown[]; logged: string }> {
  const child = fork(EMBEDDED, {
    env: {
      DATA_DIR: dataDir,
      PORT: '0',
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
      DRAIN_SECONDS: '0',
    },
    execArgv: ['--import', PARENT_PORT],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const reports: unknown[] = [];
  let logged = '';
  child.stdout?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.on('message', (report: { type: string }) => {
      reports.push(report);
      if (report.type === 'listening') child.send({ type: 'stop' });
    });
  });
  return { reports, logged };
}

test('a port that Windows has reserved counts as taken, so that the app asks for another', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const child = fork(EMBEDDED, {
    env: { DATA_DIR: dataDir, PORT: '51234', PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE_DIR },
    execArgv: ['--import', PARENT_PORT, '--import', RESERVED],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  expect(await Promise.race([once(child, 'message'), ended])).toMatchObject([
    { type: 'failed', isPortTaken: true },
    undefined,
  ]);
  expect(await ended).toEqual([1, null]);
});

test('the log of the embedded server ends with its stop', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { logged } = await runUntilListening(dataDir);
  expect(JSON.parse(logged.trim().split('\n').at(-1) ?? '')).toMatchObject({ level: 30, msg: 'stopped' });
});

test('an unhandled rejection ends the embedded server, so that the app starts it again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const child = fork(EMBEDDED, {
    env: { DATA_DIR: dataDir, PORT: '0', PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE_DIR },
    // Electron runs utility processes like this: by themselves they only warn.
    execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', PARENT_PORT, '--import', REJECT],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  expect(await Promise.race([once(child, 'message'), ended])).toMatchObject([{ type: 'listening' }, undefined]);
  child.send('reject');
  expect(await ended).toEqual([1, null]);
});
