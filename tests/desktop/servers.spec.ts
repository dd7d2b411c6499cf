import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings } from '#tests/e2e/support/axe.ts';
import { SERVER_START, doubleOf, expect, lookAway, signIn, test } from './support/fixtures.ts';

/** A server inside the app starts when it is switched to, which may take its time on a busy machine. */
async function isAt(page: Page, origin: string): Promise<void> {
  await page.waitForURL((url) => url.origin === origin, { timeout: 40_000 });
  await page.getByText('Connected', { exact: true }).waitFor({ timeout: 20_000 });
}

test('the focus goes on to the choice where the list of servers is gone', async ({ launch, userData }) => {
  const server = { kind: 'team-server', url: 'http://127.0.0.1:9' };
  await writeFile(
    join(userData, 'desktop.json'),
    JSON.stringify({ server, knownServers: [{ kind: 'this-computer' }, server] }),
  );
  const page = await (await launch()).page();
  await page.getByRole('button', { name: 'Choose another server' }).click();
  await page.getByRole('button', { name: 'Forget This computer' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Your servers' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Use this computer' })).toBeFocused();
});

test('servers that were used are remembered, and switched with one click', async ({
  launch,
  launchSignedIn,
  startTeamServer,
  usedServer,
}) => {
  test.setTimeout(150_000);
  const team = await startTeamServer();
  // A host of its own: cookies know no ports, and the other server is on 127.0.0.1.
  const { host, origin } = new URL(`http://localhost:${team.url.port}`);
  const { desktop, page } = await launchSignedIn();
  const here = new URL(page.url()).origin;
  // With one server there is nothing to switch.
  expect(await desktop.trayMenu()).toContain('Server: this computer…');

  await desktop.chooseInTray('Server: this computer…');
  await page.getByLabel('Server address').fill(origin);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await signIn(page);

  await desktop.chooseInTray(`Server: ${host} › this computer`);
  await isAt(page, here);

  await desktop.chooseInTray('Server: this computer › Change server…');
  const servers = page.getByRole('region', { name: 'Your servers' });
  await expect(servers.getByRole('listitem')).toHaveText([/^This computer/, new RegExp(`^${host}`)]);
  await servers.getByRole('button', { name: `Switch to ${host}` }).click();
  await isAt(page, origin);

  // A notification leads to the server that it came from.
  await lookAway(page);
  const id = await usedServer.post(origin, { customer: 'Acme' });
  await expect.poll(() => desktop.notifications()).toHaveLength(1);
  await desktop.chooseInTray(`Server: ${host} › this computer`);
  await isAt(page, here);
  await desktop.useNotification('New alert received');
  // The server's first page may be left before it has loaded.
  await expect(page).toHaveURL(`${origin}/alert/${id}`, { timeout: 40_000 });
  await isAt(page, origin);
  await desktop.quit();

  const again = await launch();
  expect(await again.trayMenu()).toContain(`Server: ${host} › this computer`);
});

test('a server can be forgotten, but not the one in use; both themes can be read by everybody', async ({
  launch,
  userData,
}) => {
  const server = { kind: 'team-server', url: 'http://127.0.0.1:9' };
  const old = { kind: 'team-server', url: 'https://alerts.old.example.com' };
  await writeFile(
    join(userData, 'desktop.json'),
    JSON.stringify({ server, knownServers: [{ kind: 'this-computer' }, server, old, { kind: 'nonsense' }] }),
  );
  const broken = await launch();
  // What cannot be read is forgotten; the one in use is known.
  await expect.poll(() => broken.trayMenu()).toContain('Server: 127.0.0.1:9…');
  await broken.quit();

  await writeFile(
    join(userData, 'desktop.json'),
    JSON.stringify({ server, knownServers: [{ kind: 'this-computer' }, server, old] }),
  );
  const desktop = await launch();
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Choose another server' }).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('heading', { name: 'Your servers' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.screenshot({ path: join('test-results', 'desktop', `servers-${colorScheme}.png`) });
  }
  const servers = page.getByRole('region', { name: 'Your servers' }).getByRole('listitem');
  await expect(servers).toHaveText([/^This computer/, /^127\.0\.0\.1:9in useGo back/, /^alerts\.old\.example\.com/]);
  await page.getByRole('button', { name: 'Forget alerts.old.example.com' }).press('Enter');
  await expect(servers).toHaveText([/^This computer/, /^127\.0\.0\.1:9/]);
  await expect(page.getByRole('button', { name: 'Go back to 127.0.0.1:9' })).toBeFocused();
  expect(await desktop.trayMenu()).not.toContain('Server: 127.0.0.1:9 › alerts.old.example.com');
  // The application menu has them too.
  expect(doubleOf(desktop).world.applicationMenu?.find('File › Server › this computer')).toMatchObject({
    type: 'radio',
    checked: false,
  });
  await test.step('a screen that was asked for on a server that is away does not open on another', async () => {
    await desktop.chooseInTray('My Alerts');
    await expect(page.getByRole('alert')).toContainText('could not be reached');
    const opened = page.waitForRequest((request) => request.isNavigationRequest() && request.url().startsWith('http'));
    await desktop.chooseInTray('Server: 127.0.0.1:9 › this computer');
    expect(new URL((await opened).url()).pathname).not.toBe('/my-alerts');
    await page.getByLabel('Email', { exact: true }).waitFor({ timeout: SERVER_START });
  });
});
