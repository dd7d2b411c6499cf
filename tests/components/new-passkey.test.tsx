import { screen, waitFor } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { isUnloadAsked } from './support/leaving.ts';
import { ADMINISTRATOR, appServer, findDialog, intercept, json, openPage } from './support/open-page.tsx';

const BYTES = new ArrayBuffer(8);
const CREDENTIAL = {
  id: 'AAAA',
  rawId: BYTES,
  type: 'public-key',
  response: { attestationObject: BYTES, clientDataJSON: BYTES },
  getClientExtensionResults: () => ({}),
};
const OPTIONS = { challenge: 'AAAA', user: { id: 'AAAA', name: 'Administrator', displayName: 'Administrator' } };

const PASSKEYS = '/api/auth/second-step/passkeys';

/** What the browser is asked for, in turn. It answers when the person confirms, also where the page has given up by then. */
let asked: { signal: AbortSignal; confirm: () => void }[];

beforeEach(() => {
  asked = [];
  const create = ({ signal }: { signal: AbortSignal }): Promise<object> => {
    const { promise, resolve } = Promise.withResolvers<object>();
    asked.push({ signal, confirm: () => resolve(CREDENTIAL) });
    return promise;
  };
  for (const [name, value] of Object.entries({ isSecureContext: true, PublicKeyCredential: Object })) {
    Object.defineProperty(globalThis, name, { configurable: true, value });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  }
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'));
  intercept('POST', `${PASSKEYS}/options`, () => json(OPTIONS));
});

/** Opens My account under a name: no passkey can belong to an address. */
async function openAccount(): Promise<UserEvent> {
  const app = await appServer();
  const url = new URL(app.url);
  url.hostname = 'localhost';
  return openPage(ADMINISTRATOR, '/account', { app: { ...app, url } });
}

/** Names a passkey, and has the browser asked for it. */
async function askFor(user: UserEvent, name: string) {
  const before = asked.length;
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  const dialog = await findDialog();
  await user.type(dialog.getByLabelText('Name'), name);
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  await dialog.findByRole('button', { name: 'Waiting for your device...' });
  await waitFor(() => expect(asked).toHaveLength(before + 1));
  const [device] = asked.slice(-1);
  if (!device) throw new Error('The browser was not asked.');
  return { dialog, ...device };
}

test('a passkey can be given up while the device waits, and keeps its page once it is being added', async () => {
  const sent: unknown[] = [];
  const isAdded = Promise.withResolvers<void>();
  intercept('POST', PASSKEYS, async ({ body }) => {
    sent.push((JSON.parse(body) as { name: string }).name);
    await isAdded.promise;
    return json({ recoveryCodes: ['aaaa-aaaa'] });
  });
  const user = await openAccount();
  const givenUp = await askFor(user, 'Phone');
  expect(isUnloadAsked()).toBe(false);
  await user.click(givenUp.dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(givenUp.signal.aborted).toBe(true);
  // What is confirmed too late adds nothing.
  givenUp.confirm();

  const { dialog, confirm } = await askFor(user, 'Laptop');
  confirm();
  await waitFor(() => expect(isUnloadAsked()).toBe(true));
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  isAdded.resolve();
  expect(await screen.findByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible();
  expect(sent).toEqual(['Laptop']);
});

test('leaving the page gives up a passkey that the device waits for', async () => {
  const user = await openAccount();
  const { signal } = await askFor(user, 'Phone');
  await user.click(screen.getByRole('link', { name: /^My Alerts/, hidden: true }));
  await waitFor(() => expect(location.pathname).not.toBe('/account'));
  await waitFor(() => expect(signal.aborted).toBe(true));
});
