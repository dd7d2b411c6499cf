import { screen, waitFor } from '@testing-library/dom';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeSource } from '#tests/e2e/support/sources.ts';
import { freePort } from '#tests/support/plain-proxy.ts';
import { ADMINISTRATOR, appServer, openPage, startServer } from './support/open-page.tsx';

const PATH = '/admin/sources';

/** A server that receives emails, on another port where somebody was faster. */
async function startWithMail(attempts = 3): Promise<{ port: number; app: AppServer }> {
  const port = await freePort();
  try {
    return { port, app: await startServer({ SMTP_PORT: String(port), SMTP_DOMAIN: 'alerts.example.com' }) };
  } catch (error) {
    if (attempts === 1 || !String(error).includes('the port is occupied')) throw error;
    return startWithMail(attempts - 1);
  }
}

/** A server that receives emails, and what sends them. */
async function mailServer() {
  const { port, app } = await startWithMail();
  const mail = (to: string, subject: string) =>
    createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
      from: 'Nagios <nagios@nagios.example>',
      to,
      subject,
      text: 'x',
    });
  return { app, mail };
}

test('a source for emails shows its address, and what the first email became', async () => {
  const { app, mail } = await mailServer();
  const user = await openPage(ADMINISTRATOR, `${PATH}/new?sender=email`, { app });
  await user.click(await screen.findByRole('button', { name: 'Create source' }));
  const panel = await screen.findByRole('region', { name: 'Email address' });
  const [address = ''] = /[a-z2-7]{32}@alerts\.example\.com/.exec(panel.textContent) ?? [];
  expect(screen.getByRole('region', { name: 'Set up Email' })).toHaveTextContent(`swaks --to ${address}`);
  await mail(address, 'Disk of db-7 is full');
  const arrived = await screen.findByRole('region', { name: 'First delivery' });
  await waitFor(() => expect(arrived).toHaveTextContent('Disk of db-7 is full'));
  await user.click(screen.getByRole('link', { name: /How this alert was created/ }));
  const request = await screen.findByRole('region', { name: 'Email' });
  expect(request).toHaveTextContent('FromNagios <nagios@nagios.example>');
  expect(request).toHaveTextContent('SPFnot checked');
  expect(screen.queryByRole('button', { name: 'Copy as curl' })).toBeNull();
});

test('every source has an address beside its webhook’s, which a new one replaces', async () => {
  const { app } = await mailServer();
  const { id } = await makeSource(app, 'Kestrel');
  const user = await openPage(ADMINISTRATOR, `${PATH}/${id}/set-up`, { app });
  const panel = await screen.findByRole('region', { name: 'Email' });
  const before = panel.textContent;
  expect(before).toMatch(/[a-z2-7]{32}@alerts\.example\.com/);
  await user.click(screen.getByRole('button', { name: 'New address' }));
  await waitFor(() => expect(panel.textContent).not.toBe(before));
});

test('a server that receives no emails says how to turn that on', async () => {
  const app = await appServer();
  const { id } = await makeSource(app, 'Mailed', 'email');
  await openPage(ADMINISTRATOR, `${PATH}/${id}/set-up`);
  const setUp = await screen.findByRole('region', { name: 'Set up Email' });
  expect(setUp).toHaveTextContent('This server receives no emails yet. To turn it on, set SMTP_PORT and SMTP_DOMAIN');
  expect(setUp).toHaveTextContent('swaks --to address@example.com');
});
