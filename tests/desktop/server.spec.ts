import { readFileSync } from 'node:fs';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { findings } from '#tests/e2e/support/axe.ts';
import { connectedPage, expect, signIn, test } from './support/fixtures.ts';

const HEALTHY = { product: 'Alertdesk', version: '1.0.3', status: 'ok' };

/** A server on 127.0.0.1 that answers `/healthz` with `health`, and other requests by `answer` where there is one. */
async function startFakeServer(
  health: object,
  answer: RequestListener = (_, response) => void response.writeHead(404).end(),
): Promise<{ host: string; url: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url !== '/healthz') return answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(health));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, server };
}

/** Enters a server's address on the app's own page. */
async function connectTo(page: Page, address: string): Promise<void> {
  await page.getByLabel('Server address').fill(address);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Closes a dialog by Escape, for which it listens once it has the focus, a frame after it is drawn. */
async function closeByKey(page: Page, dialog: Locator): Promise<void> {
  await expect
    .poll(() => dialog.evaluate((element) => element.closest('.bp6-overlay')?.contains(document.activeElement)))
    .toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

test('a team server is checked, shown, and kept for the next start', async ({ launch, startTeamServer }) => {
  const team = await startTeamServer();
  const first = await launch();
  const page = await first.page();
  await connectTo(page, team.url.href);
  await signIn(page);
  expect(new URL(page.url()).origin).toBe(team.url.origin);
  expect(await first.trayMenu()).toContain(`Server: ${team.url.host}…`);
  await first.quit();

  const second = await launch();
  await connectedPage(second);

  // The server goes: the app says so, and why, and comes back when it is there again.
  await team.end();
  await second.pressKeys('CommandOrControl+R');
  const unreachable = (await second.page()).getByRole('alert');
  await expect(unreachable).toContainText(`No server is running at ${team.url.host}.`);
  await expect.poll(() => second.trayTip()).toBe('Alertdesk: not connected');
  await team.start();
  await unreachable.getByRole('button', { name: 'Try again' }).click();
  await (await second.page()).getByText('Connected', { exact: true }).waitFor();
});

test('what is no address of a team server is refused in words, and one that sends its pages elsewhere is left', async ({
  launch,
}) => {
  const desktop = await launch();
  const page = await desktop.page();
  await connectTo(page, 'http://alerts.example.com');
  await expect(page.getByRole('alert')).toHaveText('Only https:// is safe on a network.');
  await connectTo(page, 'nonsense of an address');
  await expect(page.getByRole('alert')).toContainText('This is not an address.');

  const stranger = await startFakeServer({ ...HEALTHY, product: 'Something else' });
  await connectTo(page, stranger.url);
  await expect(page.getByRole('alert')).toContainText('is not an Alertdesk server.');
  stranger.server.close();
  await page.getByRole('button', { name: 'Choose another server' }).click();

  const elsewhere = await startFakeServer({});
  const { host, url, server } = await startFakeServer(HEALTHY, (_, response) => {
    response.writeHead(302, { location: `${elsewhere.url}/sign-in` }).end();
  });
  await connectTo(page, url);
  await expect(page.getByRole('alert')).toContainText(`${host} leads to another address.`);
  expect(await desktop.openedOutside()).toEqual([]);
  server.close();
  elsewhere.server.close();
});

test('a server of another major version is not shown, and the page has what it takes to go on', async ({ launch }) => {
  const newer = await startFakeServer({ ...HEALTHY, version: '7.2.0' });
  const desktop = await launch();
  const page = await desktop.page();
  await connectTo(page, newer.url);
  await expect(page.getByRole('alert')).toContainText('is version 7.2.0, this app is 1.0.3. Update this app.');
  newer.server.close();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findings(page)).toEqual([]);
  }
  // As the tray does: the state of updates is in the page, with no dialog in the way.
  await page.getByRole('alert').getByRole('button', { name: 'Check for updates' }).click();
  await expect(page.getByText('Only the installed app can update itself.')).toBeVisible();
  await page.getByRole('button', { name: 'Get the installer' }).click();
  await expect.poll(() => desktop.openedOutside()).toEqual(['https://github.com/alertdesk/alertdesk/releases/latest']);
  await page.getByRole('button', { name: 'About' }).click();
  const about = page.getByRole('dialog', { name: 'About Alertdesk' });
  await expect(about).toContainText('Version 1.0.3');
  await closeByKey(page, about);

  await page.getByRole('button', { name: 'Choose another server' }).click();
  await expect(page.getByRole('heading', { name: 'Use this computer' })).toBeVisible();
  await page.getByRole('button', { name: 'Quit' }).click();
  expect(await desktop.exited).toBe(0);
});

test('About and updates come from the tray on every page', async ({ launch }) => {
  const desktop = await launch();
  const page = await desktop.page();
  const about = page.getByRole('dialog', { name: 'About Alertdesk' });
  const opensFrom = async (label: string, text: string) => {
    await desktop.chooseInTray(label);
    await expect(about).toContainText(text);
    await closeByKey(page, about);
  };
  // Before the page is there at all.
  await opensFrom('About Alertdesk', 'Version 1.0.3');
  await page.getByRole('heading', { name: 'Use this computer' }).waitFor();
  await opensFrom('Check for updates', 'Only the installed app can update itself.');

  await page.getByRole('button', { name: 'Use this computer' }).click();
  await page.getByLabel('Email', { exact: true }).waitFor({ timeout: 40_000 });
  await opensFrom('About Alertdesk', 'Version 1.0.3');
  await opensFrom('Check for updates', 'Only the installed app can update itself.');
  await signIn(page);
  await desktop.closeWindow();
  await opensFrom('About Alertdesk', 'Version 1.0.3');
  expect(await desktop.isVisible()).toBe(true);
});

test('a page that is still on its way gives way to another screen, and to the choice of a server', async ({
  launch,
}) => {
  const pages: string[] = [];
  // The page itself never comes.
  const { host, url, server } = await startFakeServer(HEALTHY, (request) => void pages.push(request.url ?? ''));
  const desktop = await launch();
  const page = await desktop.page();
  await page.getByLabel('Server address').fill(url);
  // A click would wait for the page that never comes.
  await page.getByRole('button', { name: 'Connect', exact: true }).dispatchEvent('click');
  await expect.poll(() => pages).toEqual(['/']);
  await desktop.pressKeys('CommandOrControl+2');
  await expect.poll(() => pages).toEqual(['/', '/my-alerts']);
  await desktop.chooseInTray(`Server: ${host}…`);
  await expect(page.getByRole('heading', { name: 'Connect to a team server' })).toBeVisible();
  // What would have come is not waited for any more.
  await expect.poll(() => new Promise((resolve) => server.getConnections((_, open) => resolve(open)))).toBe(0);
  server.close();
});

test('the server on this computer is started again when it crashes, on the same port with what it had, and the log says so', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn();
  await post({ customer: 'Acme' });
  await page.getByText('Acme', { exact: true }).waitFor();
  const { origin } = new URL(page.url());

  await desktop.crashServer();
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(new URL(page.url()).origin).toBe(origin);
  await expect(page.getByText('Acme', { exact: true })).toBeVisible();

  const log = readFileSync(join(desktop.userData, 'logs', 'main.log'), 'utf8');
  expect(log).toContain('a process of the app is gone');
  expect(log).toContain('Alertdesk server');
});
