import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Rejects a promise that nobody handles, when asked to. */
const REJECT = `data:text/javascript,${encodeURIComponent(`
  process.on('message', (order) => {
    if (order === 'reject') void Promise.reject(new Error('nobody waits for it'));
  });
`)}`;

test('an unhandled rejection ends the embedded server, so that the app starts it again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const parentPort = pathToFileURL(join(PROJECT_DIR, 'tests', 'support', 'parent-port.mjs')).href;
  const child = fork(join(PROJECT_DIR, 'backend', 'embedded.ts'), {
    env: { DATA_DIR: dataDir, PORT: '0', PATH: process.env['PATH'] },
    // Electron runs utility processes like this: by themselves they only warn.
    execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', parentPort, '--import', REJECT],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  expect(await Promise.race([once(child, 'message'), ended])).toMatchObject([{ type: 'listening' }, undefined]);
  child.send('reject');
  expect(await ended).toEqual([1, null]);
});
