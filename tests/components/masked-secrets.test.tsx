import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { makeHeartbeat, makeSource } from '#tests/e2e/support/sources.ts';
import {
  ADMINISTRATOR,
  appServer,
  findDialog,
  intercept,
  json,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

const press = async (user: UserEvent, name: RegExp | string): Promise<void> =>
  user.click(await screen.findByRole('button', { name }));

/** Hides the page for so long, and shows it again. */
function beAway(minutes: number): void {
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  vi.setSystemTime(Date.now() + minutes * 60_000);
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
}

const SECOND_STEP = '/api/auth/second-step';

/** Begins to set up an authenticator app, for somebody of the test's own. */
async function openTotp(): Promise<UserEvent> {
  const { mara } = await memberWithQueue();
  const user = await openPage(mara, '/account');
  await press(user, 'Set up');
  await screen.findByRole('img', { name: /^QR code/ });
  return user;
}

/** Where a secret is shown once, how it comes to be shown there, and how it begins. */
interface Shown {
  open: () => Promise<UserEvent>;
  /** In which dialog; else on the page. */
  dialog?: string;
  begins: RegExp;
}

const SHOWN: Record<string, Shown> = {
  'a rotated API key': {
    async open() {
      const { id } = await makeSource(await appServer(), `Masked ${crypto.randomUUID()}`);
      const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
      await press(user, 'Rotate API key');
      await user.click((await findDialog()).getByRole('button', { name: 'Rotate API key' }));
      return user;
    },
    dialog: 'New API key',
    begins: /^ad_/,
  },
  'an API key': {
    async open() {
      const user = await openPage(ADMINISTRATOR, '/admin/api-keys');
      await press(user, 'New Key');
      await user.type(await screen.findByLabelText('Name'), `Masked ${crypto.randomUUID()}`);
      await press(user, 'Create Key');
      return user;
    },
    dialog: 'API Key Created',
    begins: /^ad_/,
  },
  'a key that was not copied': {
    async open() {
      const user = await openPage(ADMINISTRATOR, '/admin/sources/new?sender=generic');
      const name = await screen.findByLabelText('Name', { exact: true });
      await user.clear(name);
      await user.type(name, `Masked ${crypto.randomUUID()}{Enter}`);
      await screen.findByText('Waiting for the first delivery…');
      await press(user, 'Done');
      return user;
    },
    dialog: 'Leave without copying the credential?',
    begins: /^ad_/,
  },
  'the new address of a heartbeat': {
    async open() {
      const { id } = await makeHeartbeat(await appServer(), `Masked ${crypto.randomUUID()}`);
      const user = await openPage(ADMINISTRATOR, `/heartbeats/${id}`);
      await press(user, 'New address…');
      await user.click((await findDialog()).getByRole('button', { name: 'Make a new address' }));
      return user;
    },
    begins: /^http\S*\/ping\/[^•]+$/,
  },
  'the key of an authenticator app': {
    open: openTotp,
    dialog: 'Set up an authenticator app',
    begins: /^[A-Z2-7]{4} [A-Z2-7]{4} /,
  },
  'each recovery code': {
    async open() {
      intercept('POST', `${SECOND_STEP}/totp/confirm`, () => json({ recoveryCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'] }));
      const user = await openTotp();
      await user.type((await findDialog()).getByLabelText('Code'), '123456{Enter}');
      return user;
    },
    dialog: 'Save your recovery codes',
    begins: /^aaaaa/,
  },
};

test.for(Object.entries(SHOWN))(
  '%s is masked once the page was hidden for 15 minutes, and is shown again by a click',
  async ([, { open, dialog, begins }], { onTestFinished }) => {
    const user = await open();
    const shown = dialog === undefined ? screen : within(await screen.findByRole('dialog', { name: dialog }));
    expect(await shown.findByText(begins)).toBeVisible();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    beAway(14);
    expect(shown.getByText(begins)).toBeVisible();
    beAway(15);
    await waitFor(() => expect(shown.queryByText(begins)).toBeNull());
    expect(shown.queryByRole('img', { name: /^QR code/ })).toBeNull();
    await user.click(shown.getByRole('button', { name: /^Show (?:it|them) again$/ }));
    expect(shown.getByText(begins)).toBeVisible();
  },
);
