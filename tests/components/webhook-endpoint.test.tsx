import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMINISTRATOR, appServer, findToast, intercept, json, openPage, refusal } from './support/open-page.tsx';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).error === undefined;
const PATH = '/admin/webhook';

test('the page shows the address, the header and the payload', async () => {
  const { url } = await appServer();
  const user = await openPage(ADMINISTRATOR, PATH);
  expect(await screen.findByText(`${url.origin}/webhook`)).toBeVisible();
  for (const text of [
    'POST URL',
    'Required header',
    'The header X-Webhook-Auth carries an API key.',
    'Any JSON.',
    'The customer is extracted from the field customer, Customer or customerName.',
  ])
    expect(screen.getByRole('main')).toHaveTextContent(text);
  expect(screen.getByRole('note')).toHaveTextContent(/^Other machines cannot reach .*PUBLIC_URL/);
  await user.click(screen.getByRole('link', { name: 'Create one in API Keys' }));
  await waitFor(() => expect(location.pathname).toBe('/admin/api-keys'));
});

test('a button that has copied shows it for two seconds', async () => {
  const { url } = await appServer();
  const user = await openPage(ADMINISTRATOR, PATH);
  const copy = await screen.findByRole('button', { name: 'Copy URL' });
  const hasTick = () => copy.querySelector('[data-icon="tick"]') !== null;
  await user.click(copy);
  await waitFor(() => expect(hasTick()).toBe(true));
  const copiedAt = performance.now();
  expect(await navigator.clipboard.readText()).toBe(`${url.origin}/webhook`);
  await findToast('Copied to clipboard');
  await waitFor(() => expect(hasTick()).toBe(false));
  // The page's timer began a little earlier than this test saw the tick.
  expect(performance.now() - copiedAt).toBeGreaterThan(1_500);
});

test('where copying fails, a toast says to do it by hand', async () => {
  const user = await openPage(ADMINISTRATOR, PATH);
  const copying = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
  onTestFinished(() => copying.mockRestore());
  await user.click(await screen.findByRole('button', { name: 'Copy URL' }));
  expect(await findToast('Failed to copy')).toHaveTextContent('Please copy manually');
});

test.skipIf(!hasCurl && process.env['CI'] !== 'true')(
  'the curl command works as it is pasted, with a key in it',
  async () => {
    const app = await appServer();
    const user = await openPage(ADMINISTRATOR, PATH);
    await user.click(await screen.findByRole('button', { name: 'Copy curl command' }));
    await findToast('Copied to clipboard');
    const command = await navigator.clipboard.readText();
    // Not by a proxy of this machine.
    const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' };
    const { stdout } = await run('sh', ['-c', command.replace('YOUR_API_KEY', app.apiKey)], { env });
    expect(stdout).toContain('202 Accepted');
    const inbox = await app.inbox();
    expect(inbox[0]).toMatchObject({ customer: 'Harbor & Finch' });
  },
);

test('a test alert that is not taken, or does not arrive, is reported', async () => {
  const user = await openPage(ADMINISTRATOR, PATH);
  await screen.findByText('Connected');
  const restore = intercept('POST', '/api/webhook/test', () => refusal(503, 'The database is away.'));
  await user.click(screen.getByRole('button', { name: 'Send test alert' }));
  expect(await screen.findByText('The test alert could not be sent. The database is away.')).toBeVisible();
  restore();
  intercept('POST', '/api/webhook/test', () => json({ id: 'unheard-of', receivedAt: '2026-11-21T09:42:00.000Z' }, 202));
  await user.click(screen.getByRole('button', { name: 'Send test alert' }));
  expect(await screen.findByText('Stored. Waiting for it in New Alerts…')).toBeVisible();
  expect(await screen.findByText(/It is stored, but this screen has not received it\./)).toBeVisible();
});
