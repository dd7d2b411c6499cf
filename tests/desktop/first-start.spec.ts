import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, useThisComputer } from './support/fixtures.ts';

test.use({ isFirstStart: true });

test('the first start asks for the server; this computer then serves the window and ends with the app', async ({
  launch,
}) => {
  const desktop = await launch();
  const page = await desktop.page();
  await expect(page.getByRole('heading', { name: 'Connect to a team server' })).toBeVisible();
  await expect.poll(() => desktop.isVisible()).toBe(true);

  await useThisComputer(page);
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  const { port } = JSON.parse(readFileSync(join(desktop.userData, 'desktop.json'), 'utf8')) as { port: number };
  expect(new URL(page.url()).port).toBe(String(port));

  const server = new URL(page.url()).origin;
  await desktop.quit();
  expect(await desktop.exited).toBe(0);
  await expect(fetch(server)).rejects.toThrow('fetch failed');
});
