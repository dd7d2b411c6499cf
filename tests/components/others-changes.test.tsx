import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { createdApiTokenSchema, createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import { ADMINISTRATOR, appServer, findConnected, memberWithQueue, openPage } from './support/open-page.tsx';

test('the lists of API keys and of tokens of services follow what another administrator does', async () => {
  const { admin } = await appServer();
  const name = `Colleague's ${crypto.randomUUID()}`;
  await openPage(ADMINISTRATOR, '/admin/api-keys');
  await screen.findByRole('heading', { level: 1, name: /^API Keys/ });
  await findConnected();
  const key = createdApiKeySchema.parse(await (await admin.request('POST', '/api/api-keys', { name })).json());
  expect(await screen.findByText(name)).toBeVisible();
  await admin.request('DELETE', `/api/api-keys/${key.id}`);
  await waitFor(() => expect(screen.queryByText(name)).toBeNull());

  await openPage(ADMINISTRATOR, '/admin/service-tokens');
  await screen.findByRole('heading', { level: 1, name: /^Service Tokens/ });
  await findConnected();
  const service = { name, scope: 'read', role: 'user', expiresInDays: 1 };
  const made = await admin.request('POST', '/api/service-tokens', service);
  const token = createdServiceTokenSchema.parse(await made.json());
  expect(await screen.findByText(name)).toBeVisible();
  await admin.request('DELETE', `/api/service-tokens/${token.id}`);
  await waitFor(() => expect(screen.queryByText(name)).toBeNull());
});

test('a member’s own API tokens follow what the member does in another tab', async () => {
  const { mara, queue } = await memberWithQueue();
  await openPage(mara, '/account');
  await screen.findByRole('button', { name: 'New Token' });
  await findConnected();
  const body = { name: 'Status board', scope: 'read', expiresInDays: 1 };
  const made = await queue.client.request('POST', '/api/auth/tokens', body);
  expect(await screen.findByText('Status board')).toBeVisible();
  await queue.client.request('DELETE', `/api/auth/tokens/${createdApiTokenSchema.parse(await made.json()).id}`);
  await waitFor(() => expect(screen.queryByText('Status board')).toBeNull());
});

test('the audit trail is read again when its page is shown again, and every so often', async () => {
  const { admin } = await appServer();
  const name = `Colleague's ${crypto.randomUUID()}`;
  await openPage(ADMINISTRATOR, '/admin/audit');
  const trail = within(await screen.findByRole('list', { name: 'Audit trail' }));
  await findConnected();
  expect((await admin.request('POST', '/api/api-keys', { name })).status).toBe(201);
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  // A read that had begun before joins the first of these, and may not know of the key.
  await waitFor(
    () => {
      now += 31_000;
      document.dispatchEvent(new Event('visibilitychange'));
      expect(trail.getByText(name)).toBeVisible();
    },
    { interval: 500 },
  );
});
