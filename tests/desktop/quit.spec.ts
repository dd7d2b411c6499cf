import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { nextChild, signal } from './support/children.ts';
import type { Desktop } from './support/desktop.ts';
import { connectedPage, doubleOf, expect, test } from './support/fixtures.ts';

/** How long a quit may take that waits for nothing, also on a busy machine, in milliseconds. */
const SOON = 20_000;

/** The app on the page that asks for a server: it has started none. */
async function withoutServer(launch: () => Promise<Desktop>): Promise<Desktop> {
  const desktop = await launch();
  await (await desktop.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  return desktop;
}

/** Fails when the app has not ended soon, rather than at the test's end. */
async function ends(desktop: Desktop, within = SOON): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, within, 'still runs').unref());
  expect(await Promise.race([desktop.exited, late])).toBe(0);
}

test('without a server of its own the app quits from the tray, and by keys', async ({ launch }) => {
  const first = await withoutServer(launch);
  await first.chooseInTray('Quit Alertdesk');
  await ends(first);
  const second = await withoutServer(launch);
  await second.pressKeys('CommandOrControl+Q');
  await ends(second);
});

test('who quits twice in a row quits once', async ({ launch }) => {
  const desktop = await withoutServer(launch);
  const { app } = doubleOf(desktop).world;
  app.quit();
  app.quit();
  await ends(desktop);
});

test('a server that is still starting is not waited for', async ({ launch }) => {
  const desktop = await withoutServer(launch);
  const started = nextChild(doubleOf(desktop));
  await (await desktop.page()).getByRole('button', { name: 'Use this computer' }).click();
  const server = await started;
  // It starts no further before the app quits.
  signal(server, 'SIGSTOP');
  const exit = new Promise((resolve) => server.once('exit', resolve));
  await desktop.chooseInTray('Quit Alertdesk');
  await expect.poll(() => doubleOf(desktop).world.windows.size).toBe(0);
  signal(server, 'SIGCONT');
  // Sooner than the app gives up on a server that does not stop.
  await ends(desktop, 11_000);
  expect(await exit).toBe(0);
  const log = join(desktop.userData, 'logs', 'server.log');
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('listening');
});

test('a server that stops is waited for; the window comes back where it was, on the server it had, still signed in, also when another program has taken the port', async ({
  launch,
  launchSignedIn,
}) => {
  const bounds = { x: 100, y: 50, width: 900, height: 700 };
  const { desktop: first, page } = await launchSignedIn();
  const { origin, port } = new URL(page.url());
  const { children } = doubleOf(first).world;
  expect(children.size).toBe(1);
  await first.moveWindow(bounds);
  await first.chooseInTray('Quit Alertdesk');
  await first.chooseInTray('Quit Alertdesk');
  await ends(first, 15_000);
  expect(children.size).toBe(0);
  expect(readFileSync(join(first.userData, 'logs', 'main.log'), 'utf8')).not.toContain('a process of the app is gone');

  const second = await launch();
  const { origin: shown } = new URL((await connectedPage(second)).url());
  expect(await second.bounds()).toEqual(bounds);
  expect(shown).toBe(origin);
  await second.quit();

  const other = createServer();
  await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
  const third = await launch();
  await (await third.page()).waitForURL((url) => url.hostname === '127.0.0.1' && url.port !== port);
  other.close();
});

test('a server that hangs is ended after twelve seconds, however often somebody quits', async ({ launchSignedIn }) => {
  const { desktop } = await launchSignedIn();
  const { app, children } = doubleOf(desktop).world;
  const [server] = children;
  signal(server, 'SIGSTOP');
  const began = Date.now();
  await desktop.chooseInTray('Quit Alertdesk');
  await new Promise((resolve) => setTimeout(resolve, 200));
  app.quit();
  await ends(desktop, 20_000);
  expect(Date.now() - began).toBeGreaterThan(11_000);
  expect(children.size).toBe(0);
});

test('when Windows ends the session, nothing is asked, and the server is asked to stop before the app is gone', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const { app, children, questions } = doubleOf(desktop).world;
  // A page with something to lose, which somebody has used.
  await page.evaluate<void>(`addEventListener('beforeunload', (event) => event.preventDefault())`);
  await page.getByRole('heading').first().click();
  const [server] = children;
  const orders: unknown[] = [];
  const post = server?.postMessage.bind(server);
  if (server) server.postMessage = (message) => (orders.push(message), post?.(message));
  app.endSession();
  // Windows ends the processes right after that.
  expect(orders).toEqual([{ type: 'stop' }]);
  await ends(desktop, 15_000);
  expect(children.size).toBe(0);
  expect(questions).toEqual([]);
});

test('the jump list quits the app that runs, and starts none to quit it', async ({ launch, userData }) => {
  const installed = { resourcesPath: join(userData, 'resources') };
  const desktop = await withoutServer(() => launch(installed));
  const quit = doubleOf(desktop).world.app.jumpList.find(({ title }) => title === 'Quit Alertdesk');
  await desktop.startAgain(quit?.args ?? '');
  await ends(desktop);
  const second = await launch({ ...installed, argv: [quit?.args ?? ''] });
  await ends(second);
  expect(doubleOf(second).world.windows.size).toBe(0);
});

test('what the app is started for while it ends is done by the start that follows', async ({ launchSignedIn }) => {
  const link = 'alertdesk://alert/01890000-0000-7000-8000-000000000000';
  const { desktop } = await launchSignedIn();
  const { app, children, windows } = doubleOf(desktop).world;
  const [server] = children;
  signal(server, 'SIGSTOP');
  await desktop.chooseInTray('Quit Alertdesk');
  await expect.poll(() => windows.size).toBe(0);
  await desktop.startAgain(link);
  expect(app.relaunches).toEqual([]);
  signal(server, 'SIGCONT');
  await ends(desktop, 15_000);
  expect(app.relaunches).toEqual([[`--user-data-dir=${desktop.userData}`, link]]);
});
