import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type InstalledApp, installApp, makeInstaller, makeRunnable } from '#tests/support/installed-app.ts';
import { createSignatureCheck } from './verify-update.ts';

/** Stock electron-updater against a releases page on this machine. */
describe('an installed 1.0.3', () => {
  let app: InstalledApp;
  beforeEach(async () => {
    app = await installApp();
  });
  afterEach(() => app.dispose());

  test('is up to date', async () => {
    await app.feed.offer('1.0.3', app.installer('1.0.3'));
    expect(await app.updates.check()).toMatchObject({ status: 'not-available', version: null, error: null });
    expect(app.reported).toEqual(['idle', 'checking', 'not-available']);
  });

  test('finds 1.0.4 and downloads it when reported, with progress', async () => {
    const installer = app.installer('1.0.4');
    await app.feed.offer('1.0.4', installer);
    expect(await app.updates.check()).toMatchObject({ status: 'available', version: '1.0.4' });
    expect(app.feed.requests.some((path) => path.endsWith('.exe'))).toBe(false);
    expect(await app.updates.download()).toMatchObject({ status: 'downloaded', version: '1.0.4' });
    expect(app.reported.slice(0, 4)).toEqual(['idle', 'checking', 'available 1.0.4', 'downloading 1.0.4 0']);
    expect(app.reported.at(-1)).toBe('downloaded 1.0.4');
    expect(await readFile(app.downloaded('1.0.4'))).toEqual(installer);
  });

  test('does not look for another update while one waits to be installed', async () => {
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    await app.updates.check();
    await app.updates.download();
    await app.feed.offer('1.0.5', app.installer('1.0.5'));
    await app.updates.checkQuietly();
    expect(await app.updates.check()).toMatchObject({ status: 'downloaded', version: '1.0.4' });
  });

  test('throws a file away that does not have the checksum of the feed', async () => {
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    app.feed.tamper('1.0.4', app.installer('6.6.6'));
    await app.updates.check();
    expect(await app.updates.download()).toMatchObject({
      status: 'error',
      version: '1.0.4',
      error: 'The downloaded update was damaged or modified, so it was discarded. Try again.',
    });
    await expect(readFile(app.downloaded('1.0.4'))).rejects.toThrow('ENOENT');
    app.feed.tamper('1.0.4', app.installer('1.0.4'));
    expect(await app.updates.download()).toMatchObject({ status: 'downloaded' });
  });

  test.each([
    [500, 'The releases page is having problems. Try again later.'],
    [429, 'The releases page is limiting requests. Try again later.'],
    [404, 'The releases page has no update for this app.'],
  ])('says in words what status %i of the feed means', async (status, sentence) => {
    app.feed.breakWith(status);
    expect(await app.updates.check()).toMatchObject({ status: 'error', error: sentence });
  });

  test('reports no failure of a background check', async () => {
    app.feed.breakWith(500);
    await app.updates.checkQuietly();
    expect(app.reported).toEqual(['idle']);
    expect(app.logged.at(-1)).toContain('there is no word about updates');
  });

  test('says that the feed cannot be reached', async () => {
    await app.feed.close();
    expect(await app.updates.check()).toMatchObject({
      status: 'error',
      error: 'The releases page cannot be reached. Check the internet connection.',
    });
  });

  test('finds an update quietly', async () => {
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    await app.updates.checkQuietly();
    expect(app.reported).toEqual(['idle', 'available 1.0.4']);
  });

  test('takes betas on the beta channel only, and does not go back', async () => {
    await app.feed.offer('1.0.3', app.installer('1.0.3'));
    await app.feed.offer('1.1.0-beta.1', app.installer('1.1.0-beta.1'), 'beta');
    expect(await app.updates.check()).toMatchObject({ status: 'not-available' });
    expect(app.updates.setChannel('beta')).toMatchObject({ status: 'idle', channel: 'beta' });
    expect(await app.updates.check()).toMatchObject({ status: 'available', version: '1.1.0-beta.1' });
    expect(app.updates.setChannel('stable')).toMatchObject({ status: 'idle', version: null, channel: 'stable' });
    await app.feed.offer('1.0.2', app.installer('1.0.2'));
    expect(await app.updates.check()).toMatchObject({ status: 'not-available' });
    expect(await app.ledger()).toEqual(['start', 'channel beta', 'channel stable']);
  });

  test('a check that a change of the channel has overtaken says nothing about the new one', async () => {
    await app.feed.offer('1.0.3', app.installer('1.0.3'));
    await app.feed.offer('1.1.0-beta.1', app.installer('1.1.0-beta.1'), 'beta');
    app.updates.setChannel('beta');
    const answer = app.feed.delay();
    const overtaken = app.updates.check();
    await expect.poll(() => app.feed.requests).toHaveLength(1);
    app.updates.setChannel('stable');
    const checked = app.updates.check();
    answer();
    expect(await checked).toMatchObject({ status: 'not-available', version: null, channel: 'stable' });
    await overtaken;
    expect(app.reported.filter((one) => one.startsWith('available'))).toEqual([]);
    expect(app.updates.state.get()).toMatchObject({ status: 'not-available', channel: 'stable' });
  });

  test('a check that fails after a change of the channel is no error of the new one', async () => {
    const answer = app.feed.delay();
    app.feed.breakWith(500);
    const overtaken = app.updates.check();
    await expect.poll(() => app.feed.requests).toHaveLength(1);
    app.updates.setChannel('beta');
    answer();
    await overtaken;
    expect(app.updates.state.get()).toMatchObject({ status: 'idle', error: null, channel: 'beta' });
  });

  test('installs in the right order: server stopped, installer started, then quit', async () => {
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    await app.updates.check();
    await app.updates.download();
    await makeRunnable(app.downloaded('1.0.4'));
    // Who clicks twice gets one.
    await Promise.all([app.updates.restartAndInstall(), app.updates.restartAndInstall()]);
    await expect.poll(async () => (await app.ledger()).length).toBe(5);
    const ledger = await app.ledger();
    expect(ledger.slice(0, 3)).toEqual(['start', 'server stopping', 'server stopped']);
    // Quit is asked for once the installer runs; which of the two writes first is the system's.
    expect(ledger.slice(3).toSorted()).toEqual(['installer 1.0.4 --updated --force-run', 'quit']);
  });

  test('installs nothing before there is something', async () => {
    await app.updates.restartAndInstall();
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    await app.updates.check();
    await app.updates.restartAndInstall();
    expect(await app.ledger()).toEqual(['start']);
  });

  test('does not run a file that was changed after its download, and keeps its server', async () => {
    await app.feed.offer('1.0.4', app.installer('1.0.4'));
    await app.updates.check();
    await app.updates.download();
    await writeFile(app.downloaded('1.0.4'), app.installer('6.6.6'));
    await makeRunnable(app.downloaded('1.0.4'));
    await app.updates.restartAndInstall();
    expect(app.updates.state.get()).toMatchObject({ status: 'error', error: expect.stringContaining('discarded') });
    expect(await app.ledger()).toEqual(['start']);
    await expect(readFile(app.downloaded('1.0.4'))).rejects.toThrow('ENOENT');
    expect(await app.updates.download()).toMatchObject({ status: 'downloaded' });
    expect(await readFile(app.downloaded('1.0.4'))).toEqual(app.installer('1.0.4'));
  });
});

test('does not run a file that was changed while it was asked whether to leave the page', async () => {
  const change = async (): Promise<boolean> => {
    await writeFile(app.downloaded('1.0.4'), app.installer('6.6.6'));
    await makeRunnable(app.downloaded('1.0.4'));
    return true;
  };
  await using app: InstalledApp & AsyncDisposable = disposable(await withUpdate({ leave: () => change() }));
  await app.updates.download();
  await app.updates.restartAndInstall();
  expect(app.updates.state.get()).toMatchObject({ status: 'error', error: expect.stringContaining('discarded') });
  expect(await app.ledger()).toEqual(['start', 'back on the page']);
});

describe('a signature', () => {
  test('is asked for by the publisher that the build names', async () => {
    const asked: string[][] = [];
    await using app = disposable(
      await withUpdate({ publisherName: 'Harbor Ltd', verifySignature: async (names) => (asked.push(names), null) }),
    );
    await app.updates.download();
    expect(asked).toEqual([['Harbor Ltd']]);
  });

  test("that is not the publisher's ends the update", async () => {
    await using app = disposable(await withUpdate({ verifySignature: async () => 'signed by somebody else' }));
    expect(await app.updates.download()).toMatchObject({
      status: 'error',
      error: 'The downloaded update is not signed by the publisher, so it was discarded.',
    });
    await expect(readFile(app.downloaded('1.0.4'))).rejects.toThrow('ENOENT');
  });

  // Where there is no PowerShell to ask, stock electron-updater takes the file with a warning.
  test.skipIf(process.platform === 'win32')('that cannot be checked ends the update too', async () => {
    const check = createSignatureCheck({ info: () => undefined, warn: () => undefined, error: () => undefined });
    await using app = disposable(await withUpdate({ verifySignature: check }));
    // Other systems take Windows' command for one that writes into a file here.
    const before = process.cwd();
    process.chdir(dirname(dirname(app.downloaded(''))));
    onTestFinished(() => process.chdir(before));
    expect(await app.updates.download()).toMatchObject({ status: 'error' });
    expect(app.updates.state.get().error).toContain('not signed by the publisher');
  });

  test('is needed of the running build itself: one without looks for no updates', async () => {
    await using app = disposable(await withUpdate({ publisherName: null }));
    expect(app.updates.state.get()).toMatchObject({
      status: 'error',
      error: 'This build is not signed, so it cannot check whether an update is genuine.',
    });
    expect(app.feed.requests).toEqual([]);
  });
});

test('a build that names no releases page looks for no updates, and says so', async () => {
  await using app = disposable(await installApp({ namesReleases: false }));
  expect(await app.updates.check()).toMatchObject({
    status: 'error',
    error: 'This build has no releases page, so it cannot check for updates.',
  });
  await app.updates.checkQuietly();
  expect(app.feed.requests).toEqual([]);
});

test('what is alike in both versions is not downloaded again', async () => {
  const old = makeInstaller('1.0.3');
  await using app = disposable(await installApp({ installedWith: old }));
  await app.feed.offer('1.0.3', old);
  const next = makeInstaller('1.0.4');
  await app.feed.offer('1.0.4', next);
  await app.updates.check();
  expect(await app.updates.download()).toMatchObject({ status: 'downloaded' });
  expect(await readFile(app.downloaded('1.0.4'))).toEqual(next);
  expect(app.feed.sentBytes()).toBeLessThan(next.length / 4);
});

async function withUpdate(options: Parameters<typeof installApp>[0]): Promise<InstalledApp> {
  const app = await installApp(options);
  await app.feed.offer('1.0.4', app.installer('1.0.4'));
  await app.updates.check();
  return app;
}

const disposable = (app: InstalledApp) => Object.assign(app, { [Symbol.asyncDispose]: () => app.dispose() });
