import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { WEEK } from './support/calendar.ts';
import { textOf, watchSaving } from './support/saved-files.ts';
import { calendarSchema } from '#backend/contract/ladder.ts';
import { hoursOf } from '#renderer/lib/clock.ts';
import {
  NOBODY,
  appServer,
  findConnected,
  findDialog,
  findToast,
  findings,
  intercept,
  json,
  memberWithQueue,
  openPage,
  startServer,
} from './support/open-page.tsx';

const sessions = () => within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem');
const expectSessions = (count: number) =>
  waitFor(() => {
    expect(sessions()).toHaveLength(count);
  });

/** The row of a provider. */
const row = (name: string) => screen.findByRole('listitem', { name });

test('the only provider is unlinked after a question alone', async () => {
  const { mara } = await memberWithQueue();
  const created = { provider: 'company', providerName: 'Example Corp', email: null, lastUsedAt: null };
  const identity = { ...created, id: crypto.randomUUID(), createdAt: new Date().toISOString() };
  // That of a provider which is gone from the configuration lets nobody in.
  const gone = { ...identity, id: crypto.randomUUID(), provider: 'former', providerName: null };
  let identities: object[] = [identity, gone];
  const deleted: string[] = [];
  intercept('GET', '/api/auth/identities', () => json({ identities, linkable: [] }));
  intercept('DELETE', `/api/auth/identities/${identity.id}`, ({ url }) => {
    deleted.push(url.pathname);
    identities = [gone];
    return new Response(null, { status: 204 });
  });
  const user = await openPage(mara, '/account');
  const unlink = async () => user.click(within(await row('Example Corp')).getByRole('button', { name: 'Unlink' }));
  await unlink();
  const asked = await findDialog();
  await user.click(asked.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Unlink Example Corp?' })).toBeNull());
  expect(deleted).toEqual([]);
  await unlink();
  await user.click((await findDialog()).getByRole('button', { name: 'Unlink' }));
  await findToast('Example Corp unlinked');
  expect(deleted).toHaveLength(1);
  intercept('DELETE', `/api/auth/identities/${gone.id}`, () => {
    identities = [];
    return new Response(null, { status: 204 });
  });
  await user.click(within(await row('former')).getByRole('button', { name: 'Unlink' }));
  await findToast('former unlinked');
});

test('my account: the name, times and sessions are changed, and what another browser changes is followed', async () => {
  const { mara, queue } = await memberWithQueue();
  const user = await openPage(mara, '/');
  const account = () => screen.findByRole('button', { name: new RegExp(mara.email) });
  await user.click(await account());
  await user.click(await screen.findByRole('menuitem', { name: 'My account' }));
  await screen.findByRole('heading', { name: 'My account' });
  await expectSessions(2);
  expect(await findings()).toEqual([]);

  const name = screen.getByLabelText('Display Name');
  await user.clear(name);
  await user.type(name, 'Mara Lind');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect(await account()).toHaveTextContent('Mara Lind'));
  await queue.client.request('PATCH', '/api/auth/profile', { displayName: 'Mara Elsewhere' });
  await waitFor(async () => expect(await account()).toHaveTextContent('Mara Elsewhere'));

  expect(sessions()[0]).toHaveTextContent('This browser');
  expect(sessions()[0]).toHaveTextContent(/Signed in .* at \d+:\d\d [AP]M/);
  await user.click(screen.getByRole('radio', { name: '24 hours' }));
  await waitFor(() => expect(sessions()[0]).toHaveTextContent(/ at \d\d:\d\d from/));
  const zone = screen.getByLabelText('Time zone');
  zone.focus();
  await user.selectOptions(zone, 'Asia/Tokyo');
  expect(await screen.findByText(/^It is now .* \(GMT\+9\)\.$/)).toBeVisible();
  expect(screen.getByLabelText('Time zone')).toHaveFocus();

  await user.click(within(sessions()[1] as HTMLElement).getByRole('button', { name: 'Sign out' }));
  await findToast(/Signed out of/);
  await expectSessions(1);
  expect((await queue.client.request('GET', '/api/auth/session')).status).toBe(401);
  expect(screen.getByRole('button', { name: 'Sign out everywhere else' })).toHaveFocus();
  expect(document.activeElement).toHaveAttribute('aria-disabled', 'true');
});

test('what is typed into the display name while it is saved stays', async () => {
  const { mara } = await memberWithQueue();
  const answer = Promise.withResolvers<void>();
  intercept('PATCH', '/api/auth/profile', async (_call, go) => {
    const response = await go();
    await answer.promise;
    return response;
  });
  const user = await openPage(mara, '/account');
  const name = await screen.findByLabelText('Display Name');
  await user.clear(name);
  await user.type(name, 'Moira{Enter} Lind');
  answer.resolve();
  const account = screen.getByRole('button', { name: new RegExp(mara.email) });
  await waitFor(() => expect(account).toHaveTextContent('Moira'));
  expect(name).toHaveValue('Moira Lind');
});

test('Save, which is disabled once the display name is saved, leaves the focus to it', async () => {
  const { mara } = await memberWithQueue();
  const user = await openPage(mara, '/account');
  const name = await screen.findByLabelText('Display Name');
  await user.type(name, ' Lind');
  const save = within(screen.getByRole('region', { name: 'Profile' })).getByRole('button', { name: 'Save' });
  await user.click(save);
  await waitFor(() => expect(save).toBeDisabled());
  await waitFor(() => expect(name).toHaveFocus());
});

/** An administrator of the test's own, and how another device of theirs has times written with 24 hours. */
async function administratorOf() {
  const app = await appServer();
  const ines = await app.addMember('Ines Costa', 'admin');
  const elsewhere = await app.signIn(ines);
  const choose24Hours = async () => {
    await elsewhere.request('PATCH', '/api/auth/profile', { timeFormat: '24h' });
    // The page has read it.
    await waitFor(() => expect(hoursOf('h:mm a')).toBe('HH:mm'));
    await findConnected();
  };
  return { ines, choose24Hours };
}

test('times follow what is chosen elsewhere, and what is being edited stays until it is saved or dropped', async () => {
  const { ines, choose24Hours } = await administratorOf();
  const user = await openPage(ines, '/admin/rules/new');
  const name = await screen.findByLabelText('Name');
  await findConnected();
  await user.type(name, 'Quiet at night');
  await choose24Hours();
  expect(screen.getByLabelText('Name')).toHaveValue('Quiet at night');
  await user.clear(screen.getByLabelText('Name'));
  // Drawn again by now, though its address is the same.
  await waitFor(() => expect(name).not.toBeInTheDocument());
  expect(screen.getByLabelText('Name')).toHaveValue('');
});

const FORMS = {
  'a new source': {
    open: async () => '/admin/sources/new',
    label: 'Name',
  },
  'a channel of one’s own': {
    open: async () => '/settings',
    button: 'Add a channel',
    label: 'Name',
  },
  'who is on instead': {
    open: async () => {
      const { admin } = await appServer();
      const body = { name: `Week ${crypto.randomUUID()}`, content: WEEK };
      const { id } = calendarSchema.parse(await (await admin.request('POST', '/api/outgoing/calendars', body)).json());
      onTestFinished(async () => void (await admin.request('DELETE', `/api/outgoing/calendars/${id}`)));
      return `/admin/outgoing/calendars/${id}`;
    },
    label: 'From',
  },
};

test.for(Object.entries(FORMS))(
  '%s stays as it is typed when times are chosen otherwise elsewhere',
  async ([, form]) => {
    const { ines, choose24Hours } = await administratorOf();
    const user = await openPage(ines, await form.open());
    if ('button' in form) await user.click(await screen.findByRole('button', { name: form.button }));
    await screen.findByLabelText(form.label, { selector: 'input' });
    await findConnected();
    const field = screen.getByLabelText(form.label, { selector: 'input' });
    const typed = form.label === 'From' ? '2099-01-04T22:00' : 'Typed so far';
    fireEvent.change(field, { target: { value: typed } });
    await choose24Hours();
    expect(field).toBeInTheDocument();
    expect(field).toHaveValue(typed);
  },
);

/** The first time on the page, whose tip has it to the second. */
const firstTime = () => document.querySelector('main time');

test('a dialog and its fields stay when times are chosen otherwise elsewhere, and the page follows when it closes', async () => {
  const { ines, choose24Hours } = await administratorOf();
  const user = await openPage(ines, '/admin/users');
  await waitFor(() =>
    expect(firstTime()).toHaveAttribute('data-tip', expect.stringMatching(/ at \d+:\d\d:\d\d [AP]M /)),
  );
  await findConnected();
  await user.click(screen.getByRole('button', { name: 'Create User' }));
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByLabelText('Display Name');
  await user.type(name, 'Ben Okafor');
  await choose24Hours();
  expect(name).toBeInTheDocument();
  expect(name).toHaveValue('Ben Okafor');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(firstTime()).toHaveAttribute('data-tip', expect.stringMatching(/ at \d\d:\d\d:\d\d \(/)));
});

test('a new password ends the sessions elsewhere, and this page goes on; the old one does no more', async () => {
  const { app, mara, queue } = await memberWithQueue();
  const user = await openPage(mara, '/account');
  const current = await screen.findByLabelText<HTMLInputElement>('Current Password');
  await user.type(current, 'not this one');
  await user.type(screen.getByLabelText('New Password'), 'only for tests, too');
  await user.click(screen.getByRole('button', { name: 'Change Password' }));
  await findToast(/This is not your current password\./);
  // A browser gives the focus to what is selected; this DOM does not.
  await waitFor(() => expect([current.selectionStart, current.selectionEnd]).toEqual([0, 'not this one'.length]));
  await user.clear(current);
  await user.type(current, mara.password);
  expect(screen.getByRole('checkbox', { name: 'Sign out everywhere else' })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Change Password' }));
  await findToast('Password changed');
  expect((await queue.client.request('GET', '/api/auth/session')).status).toBe(401);
  await screen.findByText('Connected');
  await expectSessions(1);

  const again = await openPage(NOBODY, '/login', { app });
  const signInWith = async (password: string) => {
    const field = await screen.findByLabelText('Password');
    await again.clear(screen.getByLabelText('Email'));
    await again.type(screen.getByLabelText('Email'), mara.email);
    await again.clear(field);
    await again.type(field, password);
    await again.click(screen.getByRole('button', { name: 'Sign In' }));
  };
  await signInWith(mara.password);
  await findToast('Login failed');
  await signInWith('only for tests, too');
  await findToast('Login successful');
});

test('what is stored of a member is downloaded whole, or not at all', async () => {
  const app = await startServer();
  const mara = await app.addMember('Mara Lindqvist');
  const saved = watchSaving();
  const user = await openPage(mara, '/account', { app });
  const download = await screen.findByRole('button', { name: 'Download my data' });
  await user.click(download);
  await findToast('Your data was downloaded');
  expect(saved.names).toEqual([expect.stringMatching(/^alertdesk-my-data-\d{4}-\d\d-\d\d\.jsonl$/)]);
  const text = await textOf(saved.files[0]);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.find(({ type }) => type === 'user')).toMatchObject({ email: mara.email });
  expect(lines.at(-1)).toMatchObject({ type: 'end' });

  intercept('GET', '/api/auth/export', () => new Response('{"type":"export"}\n{"type":"us'));
  await user.click(await screen.findByRole('button', { name: 'Download my data' }));
  await findToast(/The download was interrupted\. Try again\./);
  expect(saved.names).toHaveLength(1);
});

/** The day by now where people are, by default on this device: "2026-11-29". */
const dayIn = (timeZone?: string): string =>
  new Date().toLocaleDateString('sv', timeZone === undefined ? {} : { timeZone });

test('the file of what is stored of a member has the day where they are in its name', async () => {
  const { mara, queue } = await memberWithQueue();
  // A day and an hour apart: in one of them it is another day than here.
  const timeZone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((one) => dayIn(one) !== dayIn()) ?? '';
  expect((await queue.client.request('PATCH', '/api/auth/profile', { timeZone })).ok).toBe(true);
  const saved = watchSaving();
  const user = await openPage(mara, '/account');
  const days = [dayIn(timeZone)];
  await user.click(await screen.findByRole('button', { name: 'Download my data' }));
  await findToast('Your data was downloaded');
  days.push(dayIn(timeZone));
  expect(days.map((day) => `alertdesk-my-data-${day}.jsonl`)).toContain(saved.names[0]);
});
