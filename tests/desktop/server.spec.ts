import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServerProcess } from '#tests/support/server-process.ts';
import { expect, signIn, test, useThisComputer } from './support/fixtures.ts';
import { senderTo } from './support/sender.ts';

/** A server that answers `/healthz` with `body`, for as long as the test. */
async function serverThatSays(body: object): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

test('a team server is checked, shown, and kept for the next start', async ({ launch }) => {
  const team = await startServerProcess({ script: 'scripts/start.ts' });
  try {
    const first = await launch();
    const page = await first.page();
    await page.getByLabel('Server address').fill(team.url.href);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await signIn(page);
    expect(new URL(page.url()).origin).toBe(team.url.origin);
    expect(await first.trayMenu()).toContain(`Server: ${team.url.host}…`);
    await first.quit();

    const second = await launch();
    await (await second.page()).getByText('Connected', { exact: true }).waitFor();

    // The server goes: the app says so, and why, and comes back when it is there again.
    await team.end();
    await second.pressKeys('CommandOrControl+R');
    const unreachable = (await second.page()).getByRole('alert');
    await expect(unreachable).toContainText(`No server is running at ${team.url.host}.`);
    await expect.poll(() => second.trayTip()).toBe('Alertdesk: not connected');
    await team.start();
    await unreachable.getByRole('button', { name: 'Try again' }).click();
    await (await second.page()).getByText('Connected', { exact: true }).waitFor();
  } finally {
    await team.dispose();
  }
});

test('what is no address of a team server is refused in words', async ({ launch }) => {
  const page = await (await launch()).page();
  const enter = async (address: string) => {
    await page.getByLabel('Server address').fill(address);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
  };
  await enter('http://alerts.example.com');
  await expect(page.getByRole('alert')).toHaveText('Only https:// is safe on a network.');
  await enter('nonsense of an address');
  await expect(page.getByRole('alert')).toContainText('This is not an address.');

  const stranger = await serverThatSays({ product: 'Something else', version: '1.0.0', status: 'ok' });
  await enter(stranger.url);
  await expect(page.getByRole('alert')).toContainText('is not an Alertdesk server.');
  stranger.close();
});

test('a server of another major version is not shown, and it is said what to do', async ({ launch }) => {
  const newer = await serverThatSays({ product: 'Alertdesk', version: '7.2.0', status: 'ok' });
  const page = await (await launch()).page();
  await page.getByLabel('Server address').fill(newer.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('is version 7.2.0, this app is 1.0.3. Update this app.');
  newer.close();
  await page.getByRole('button', { name: 'Choose another server' }).click();
  await expect(page.getByRole('heading', { name: 'Use this computer' })).toBeVisible();
});

test('the server on this computer is started again when it crashes, on the same port with what it had', async ({
  launch,
}) => {
  const desktop = await launch();
  const page = await desktop.page();
  await useThisComputer(page);
  await (
    await senderTo(page)
  )({ customer: 'Acme' });
  await page.getByText('Acme', { exact: true }).waitFor();
  const { origin } = new URL(page.url());

  await desktop.crashServer();
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(new URL(page.url()).origin).toBe(origin);
  await expect(page.getByText('Acme', { exact: true })).toBeVisible();
});

test('a port that another program has taken is replaced by a free one', async ({ launch }) => {
  const first = await launch();
  await useThisComputer(await first.page());
  const { port } = new URL((await first.page()).url());
  await first.quit();

  const other = createServer();
  await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
  const second = await launch();
  await (await second.page()).waitForURL((url) => url.hostname === '127.0.0.1' && url.port !== port);
  other.close();
});

test('sharing on the network is off until it is switched on, and says what it exposes', async ({ launch }) => {
  const desktop = await launch();
  const page = await desktop.page();
  await useThisComputer(page);
  await page.goto(`${new URL(page.url()).origin}/settings`);
  await page.getByRole('button', { name: 'Change server…' }).click();

  const share = page.getByRole('checkbox', { name: 'Share on this network' });
  await expect(share).not.toBeChecked();
  await expect(share).toHaveAccessibleDescription(/Everybody on your network can then open the sign-in page/);
  await page.getByText('Share on this network').click();
  await expect(share).toBeChecked();
  const addresses = page.getByRole('list', { name: 'Addresses for others' }).getByRole('listitem');
  for (const address of await addresses.allTextContents()) {
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  }
  await page.getByRole('button', { name: 'Keep using this computer' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
});
