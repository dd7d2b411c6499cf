import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '#tests/e2e/support/axe.ts';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import { serverName } from '#electron/server/server-menu.ts';
import { nextChild, signal } from './support/children.ts';
import { SERVER_START, doubleOf, expect, test } from './support/fixtures.ts';
import { changeSettings } from './support/used-server.ts';

test('a fatal error of the server on this computer is logged, and the server started again, without a box', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const { children, errorBoxes } = doubleOf(desktop).world;
  const [server] = children;
  const following = nextChild(doubleOf(desktop));
  server?.failFatally();
  // Until the app has said what happened to the one before.
  const next = await following;
  signal(next, 'SIGSTOP');
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  await expect(page.getByRole('alert')).toContainText('stopped unexpectedly');
  signal(next, 'SIGCONT');
  await page.getByText('Connected', { exact: true }).waitFor({ timeout: SERVER_START });
  expect(errorBoxes).toEqual([]);
  const log = readFileSync(join(desktop.userData, 'logs', 'main.log'), 'utf8');
  expect(log).toContain('the server ran into a fatal error');
  expect(log).not.toContain('environmentVariables');
});

test('an update of the data shows how far it is', async ({ launch }) => {
  const desktop = await launch();
  const started = nextChild(doubleOf(desktop));
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Use this computer' }).click();
  const server = await started;
  signal(server, 'SIGSTOP');
  server.emit('message', { type: 'updating', done: 2, total: 5 });
  const bar = page.getByRole('progressbar', { name: 'Data update' });
  await expect(bar).toHaveAttribute('aria-valuenow', '40');
  await expect(page.getByText('2 of 5 steps done')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findings(page)).toEqual([]);
    for (const width of [480, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: join('test-results', 'desktop', `data-update-${colorScheme}-${width}.png`) });
    }
  }
  signal(server, 'SIGCONT');
  await page.getByLabel('Email', { exact: true }).waitFor({ timeout: SERVER_START });
});

test('a server that is chosen again while it still stops starts after that, on the same port', async ({
  launchSignedIn,
  userData,
}) => {
  const elsewhere = { kind: 'team-server', url: 'http://127.0.0.1:9' };
  await changeSettings(userData, { knownServers: [{ kind: 'this-computer' }, elsewhere] });
  const { desktop, page } = await launchSignedIn();
  const { origin } = new URL(page.url());
  const { children } = doubleOf(desktop).world;
  const [server] = children;
  const atOnce: number[] = [];
  const add = children.add.bind(children);
  children.add = (child) => {
    atOnce.push(children.size + 1);
    return add(child);
  };
  // It takes its time.
  signal(server, 'SIGSTOP');
  await desktop.chooseInTray('Server: this computer › 127.0.0.1:9');
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  const [there, here] = [elsewhere, { kind: 'this-computer' as const }].map((one) => serverName(one as ServerChoice));
  await desktop.chooseInTray(`Server: ${there} › ${here}`);
  const going = setTimeout(() => signal(server, 'SIGCONT'), 1000);
  await page
    .getByText('Connected', { exact: true })
    .waitFor({ timeout: SERVER_START })
    .finally(() => clearTimeout(going));
  expect(new URL(page.url()).origin).toBe(origin);
  expect(atOnce).toEqual([1]);
  // Its end was asked for.
  expect(readFileSync(join(desktop.userData, 'logs', 'main.log'), 'utf8')).not.toContain('the server ended by itself');
});
