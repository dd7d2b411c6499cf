import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeHeartbeat, makeSource, send } from '#tests/e2e/support/sources.ts';
import { hold, isUnloadAsked } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findDialog,
  findRow,
  intercept,
  json,
  openPage,
} from './support/open-page.tsx';

const CODES = ['aaaa-aaaa', 'bbbb-bbbb'];

const press = async (user: UserEvent, name: RegExp | string): Promise<void> =>
  user.click(await screen.findByRole('button', { name }));

/** What is shown once: where it is made, how its dialog comes up, and which dialog shows it. */
interface Made {
  path: string;
  open: (user: UserEvent) => Promise<void>;
  call: RegExp | string;
  /** What the dialog's button says. */
  make: string;
  shown: string;
  answer?: () => Response;
}

const MADE: Record<string, Made> = {
  'an API key': {
    path: '/admin/api-keys',
    async open(user) {
      await press(user, 'New Key');
      await user.type(await screen.findByLabelText('Name'), `Slow ${crypto.randomUUID()}`);
    },
    call: '/api/api-keys',
    make: 'Create Key',
    shown: 'API Key Created',
  },
  'an API token': {
    path: '/account',
    async open(user) {
      await press(user, 'New Token');
      await user.type((await findDialog()).getByLabelText('Name'), `Slow ${crypto.randomUUID()}`);
    },
    call: '/api/auth/tokens',
    make: 'Create Token',
    shown: 'Token Created',
  },
  'an invitation': {
    path: '/admin/users',
    async open(user) {
      await press(user, 'Invite');
      const dialog = await findDialog();
      await user.type(dialog.getByLabelText('Email'), `${crypto.randomUUID().slice(0, 8)}@example.org`);
      await user.type(dialog.getByLabelText('Display Name'), 'Jonas Berg');
    },
    call: '/api/auth/invitations',
    make: 'Invite',
    shown: 'Invitation',
  },
  'a reset link': {
    path: '/admin/users',
    async open(user) {
      const { email } = await (await appServer()).addMember('Mara Lindqvist');
      await user.click(within(await findRow('Users', email)).getByRole('button', { name: 'Reset Password' }));
    },
    call: /\/reset-link$/,
    make: 'Create a reset link',
    shown: 'Reset Link',
  },
  'the address of a heartbeat': {
    path: '/heartbeats',
    async open(user) {
      const name = `Slow ${crypto.randomUUID()}`;
      await makeHeartbeat(await appServer(), name);
      await press(user, `Actions for ${name}`);
      await user.click(await screen.findByRole('menuitem', { name: 'New address…' }));
    },
    call: /^\/api\/heartbeats\/[^/]+\/address$/,
    make: 'Make a new address',
    shown: 'Address',
  },
  'recovery codes': {
    path: '/account',
    async open(user) {
      await press(user, 'Set up');
      await user.type((await findDialog()).getByLabelText('Code'), '123456');
    },
    call: '/api/auth/second-step/totp/confirm',
    make: 'Confirm',
    shown: 'Save your recovery codes',
    answer: () => json({ recoveryCodes: CODES }),
  },
};

test.each(Object.entries(MADE))(
  '%s that is being made keeps its dialog and its page until it is shown',
  async (_what, { path, open, call, make, shown, answer }) => {
    const user = await openPage(ADMINISTRATOR, path);
    await open(user);
    const release = hold('POST', call, answer);
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: make }));
    await waitFor(() => expect(isUnloadAsked()).toBe(true));
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.keyboard('{Escape}');
    // A dialog that closes gives the focus back.
    expect(dialog.contains(document.activeElement)).toBe(true);
    release();
    expect(await screen.findByRole('dialog', { name: shown })).toBeVisible();
  },
);

test('new recovery codes keep their page until they are shown, and are made once', async () => {
  const state = {
    isRequired: false,
    isProved: true,
    totpSince: '2026-01-01T00:00:00.000Z',
    passkeys: [],
    recoveryCodesLeft: 3,
  };
  intercept('GET', '/api/auth/second-step', () => json({ ...state, browsers: [] }));
  let made = 0;
  const user = await openPage(ADMINISTRATOR, '/account');
  const renew = await screen.findByRole('button', { name: 'New codes' });
  const release = hold('POST', '/api/auth/second-step/recovery-codes', () => {
    made += 1;
    return json({ recoveryCodes: CODES });
  });
  await user.dblClick(renew);
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  expect(await screen.findByText('A secret is being created. You can leave once it is shown here.')).toBeVisible();
  release();
  const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
  expect(dialog.getByText('aaaa-aaaa')).toBeVisible();
  expect(location.pathname).toBe('/account');
  expect(made).toBe(1);
});

test('a link that is renewed keeps its page until it is shown', async () => {
  const app = await appServer();
  const email = `${crypto.randomUUID()}@example.org`;
  const invitation = { email, displayName: 'Ines Costa', role: 'user', isMailed: false };
  expect((await app.admin.request('POST', '/api/auth/invitations', invitation)).status).toBe(201);
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  const row = within(await findRow('Pending links', email));
  const release = hold('POST', /^\/api\/auth\/links\/[^/]+\/renew$/);
  await user.click(row.getByRole('button', { name: 'Renew' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(true));
  release();
  expect(await screen.findByRole('dialog', { name: 'Invitation' })).toBeVisible();
});

/** Chooses what a list is filtered by. */
async function filter(user: UserEvent, name: RegExp, choice: string): Promise<void> {
  await press(user, name);
  await user.click(await screen.findByRole('menuitemradio', { name: choice }));
}

test('a new key stays on screen when its source leaves the list', async () => {
  const app = await appServer();
  const name = `Filtered ${crypto.randomUUID()}`;
  const { key } = await makeSource(app, name);
  const user = await openPage(ADMINISTRATOR, '/admin/sources');
  await user.type(await screen.findByRole('searchbox', { name: 'Search sources' }), name);
  await filter(user, /^Health/, 'Never used');
  await press(user, `Actions for ${name}`);
  await user.click(await screen.findByRole('menuitem', { name: 'Rotate API key' }));
  await user.click((await findDialog()).getByRole('button', { name: 'Rotate API key' }));
  const shown = await screen.findByRole('dialog', { name: 'New API key' });
  await findConnected();
  expect((await send(app, key, {})).status).toBe(202);
  expect(await screen.findByText(/^No sources match/)).toBeInTheDocument();
  expect(shown).toBeVisible();
  expect(within(shown).getByText(/^ad_/)).toBeVisible();
});

test('a new address stays on screen when its heartbeat leaves the list', async () => {
  const app = await appServer();
  const name = `Filtered ${crypto.randomUUID()}`;
  const { id } = await makeHeartbeat(app, name);
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  await filter(user, /^State/, 'OK');
  const isSearched = Promise.withResolvers<void>();
  intercept('GET', '/api/heartbeats', ({ url }, go) => {
    if (url.searchParams.get('q') === name) isSearched.resolve();
    return go();
  });
  await user.type(await screen.findByRole('searchbox', { name: 'Search heartbeats' }), name);
  await isSearched.promise;
  await press(user, `Actions for ${name}`);
  await user.click(await screen.findByRole('menuitem', { name: 'New address…' }));
  await user.click((await findDialog()).getByRole('button', { name: 'Make a new address' }));
  const shown = await screen.findByRole('dialog', { name: 'Address' });
  await findConnected();
  expect((await app.admin.request('PATCH', `/api/heartbeats/${id}`, { isPaused: true })).status).toBe(200);
  expect(await screen.findByText(/^No heartbeats match/)).toBeInTheDocument();
  expect(shown).toBeVisible();
  expect(within(shown).getByText(/\/ping\//)).toBeVisible();
});
