import { screen, within } from '@testing-library/dom';
import { Secret, TOTP } from 'otpauth';
import { expect, onTestFinished, test } from 'vitest';
import { totpKeySchema } from '#backend/contract/second-step.ts';
import { ADMINISTRATOR, findings, openPage, startServer } from './support/open-page.tsx';

const REASON = 'This is the break-glass administrator, who can only be changed on the server, with npm run user.';

const rows = async () => within(await screen.findByRole('list', { name: 'Second steps' }));

test('the break-glass administrator is offered a first second step, and no change that the server refuses', async () => {
  for (const [name, value] of Object.entries({ isSecureContext: true, PublicKeyCredential: Object })) {
    Object.defineProperty(globalThis, name, { configurable: true, value });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  }
  const started = await startServer({ BREAK_GLASS_ADMIN: ADMINISTRATOR.email });
  // Passkeys belong to a name, not to an address.
  const url = new URL(started.url);
  url.hostname = 'localhost';
  const app = { ...started, url };

  await openPage(ADMINISTRATOR, '/account', { app });
  const before = (await rows()).getAllByRole('button').map(({ textContent }) => textContent);
  expect(before).toEqual(['Set up', 'Add a passkey']);
  expect(await screen.findByText(REASON)).toBeVisible();
  expect(screen.queryByLabelText('Current Password')).toBeNull();

  const client = await started.signIn(ADMINISTRATOR);
  const { key } = totpKeySchema.parse(await (await client.request('POST', '/api/auth/second-step/totp')).json());
  await client.request('POST', '/api/auth/second-step/totp/confirm', {
    code: new TOTP({ secret: Secret.fromBase32(key) }).generate(),
  });
  await openPage(ADMINISTRATOR, '/account', { app });
  expect((await rows()).getByText('Authenticator app')).toBeVisible();
  expect((await rows()).queryAllByRole('button')).toEqual([]);
  expect(screen.getAllByText(REASON)).toHaveLength(2);
  expect(await findings()).toEqual([]);
});
