import { screen, waitFor, within } from '@testing-library/dom';
import { format } from 'date-fns';
import { uuidv7 } from 'uuidv7';
import { describe, expect, test } from 'vitest';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import { choosePerson } from './support/choose-person.ts';
import {
  ADMINISTRATOR,
  appServer,
  findDialog,
  findRow,
  findToast,
  findings,
  intercept,
  openPage,
  refusal,
  startServer,
} from './support/open-page.tsx';

const PATH = '/admin/users';

const someEmail = (): string => `${uuidv7()}@example.org`;

/** Whom a test changes. */
const member = async (): Promise<Person> => (await appServer()).addMember('Mara Lindqvist');

/** Opens User Management and its form for a new account. */
async function openForm() {
  const user = await openPage(ADMINISTRATOR, PATH);
  await user.click(await screen.findByRole('button', { name: 'Create User' }));
  const dialog = await findDialog();
  const field = (name: string) => dialog.getByLabelText<HTMLInputElement>(name, { exact: true });
  return {
    user,
    dialog,
    field,
    fill: async (fields: Record<string, string>) => {
      for (const [name, text] of Object.entries(fields)) {
        await user.clear(field(name));
        if (text) await user.type(field(name), text);
      }
    },
    submit: () => user.click(dialog.getByRole('button', { name: 'Create User' })),
  };
}

/** How many accounts the page's head says there are. */
const total = (): number => Number.parseInt(document.querySelector('.page-head__count')?.textContent ?? '', 10);

/** Opens User Management and presses a button of somebody's row. */
async function press(person: Pick<Person, 'email'>, name: string) {
  const user = await openPage(ADMINISTRATOR, PATH);
  const row = await findRow('Users', person.email);
  await user.click(within(row).getByRole('button', { name }));
  return { user, row: () => findRow('Users', person.email) };
}

describe('a new account', () => {
  test('is made with the role that was chosen; the form is empty the next time', async () => {
    await awayFromMidnight();
    const { user, dialog, field, fill, submit } = await openForm();
    await findRow('Users', ADMINISTRATOR.email);
    const before = total();
    expect(field('Email')).toHaveFocus();
    const role = dialog.getByLabelText<HTMLSelectElement>('Role');
    expect([...role.options].map(({ text }) => text)).toEqual(['User', 'Admin']);
    expect(role).toHaveValue('user');
    const email = someEmail();
    await fill({ Email: email, 'Display Name': 'Tomás Vidal', Password: 'tea at five' });
    await user.selectOptions(role, 'Admin');
    await submit();
    const row = await findRow('Users', email);
    expect(within(row).getByText('Admin')).toBeVisible();
    expect(within(row).getByText('Active')).toBeVisible();
    expect(row).toHaveTextContent(`Created ${format(new Date(), 'MMM d, yyyy')}`);
    await waitFor(() => expect(total()).toBe(before + 1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    const again = await findDialog();
    for (const name of ['Email', 'Display Name', 'Password'])
      expect(again.getByLabelText(name, { exact: true })).toHaveValue('');
    expect(again.getByLabelText('Role')).toHaveValue('user');
  });

  test('asks for what is missing or malformed before anything is sent', async () => {
    const sent: string[] = [];
    intercept('POST', /^/, ({ url }, go) => {
      sent.push(url.pathname);
      return go();
    });
    const { fill, field, submit } = await openForm();
    await submit();
    expect(field('Email').validity.valueMissing).toBe(true);
    await fill({ Email: 'not an address' });
    await submit();
    expect(field('Email').validity.typeMismatch).toBe(true);
    await fill({ Email: someEmail(), 'Display Name': '   ' });
    await submit();
    expect(field('Display Name').validity.valid).toBe(false);
    expect(field('Password').minLength).toBe(8);
    expect(sent).toEqual([]);
  });

  test('that the server does not take says why, and keeps what was typed', async () => {
    const { email } = await member();
    const { fill, field, submit } = await openForm();
    await fill({ Email: email.toUpperCase(), 'Display Name': 'Another Mara', Password: 'tea at six' });
    await submit();
    const toast = await findToast('Failed to create user');
    expect(toast).toHaveTextContent('There is an account with the e-mail');
    expect(field('Email')).toHaveValue(email.toUpperCase());
    await fill({ Email: someEmail(), Password: 'ü'.repeat(37) });
    await submit();
    await findToast(/Password must be at most 72 bytes/);
  });

  test('has a password that can be shown, suggested and copied', async () => {
    const { user, dialog, field, fill } = await openForm();
    await fill({ Password: 'tea at seven' });
    expect(field('Password')).toHaveAttribute('type', 'password');
    await user.click(dialog.getByRole('button', { name: 'Show password' }));
    expect(field('Password')).toHaveAttribute('type', 'text');
    await user.click(dialog.getByRole('button', { name: 'Hide password' }));
    expect(field('Password')).toHaveAttribute('type', 'password');
    await user.click(dialog.getByRole('button', { name: 'Suggest a password' }));
    expect(field('Password')).toHaveAttribute('type', 'text');
    expect(field('Password').value).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    await user.click(dialog.getByRole('button', { name: 'Copy password' }));
    await findToast('Copied to clipboard');
    expect(await navigator.clipboard.readText()).toBe(field('Password').value);
  });
});

describe('disabling an account', () => {
  test('is undone from the toast', async () => {
    const mara = await member();
    const { user, row } = await press(mara, 'Disable');
    const toast = await findToast('User status updated');
    await waitFor(async () => expect(await row()).toHaveTextContent('Disabled'));
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await row()).toHaveTextContent('Active'));
    expect(within(await row()).getByRole('button', { name: 'Disable' })).toBeVisible();
  });

  test('is not undone where another administrator has enabled it meanwhile', async () => {
    const [app, mara] = [await appServer(), await member()];
    const { user, row } = await press(mara, 'Disable');
    const toast = await findToast('User status updated');
    await user.hover(toast);
    type Users = { id: string; email: string; isActive: boolean }[];
    const hers = async () => {
      const users = (await (await app.admin.request('GET', '/api/auth/users')).json()) as Users;
      return users.find(({ email }) => email === mara.email);
    };
    const path = `/api/auth/users/${(await hers())?.id}/toggle-active`;
    expect((await app.admin.request('PATCH', path, { active: true })).status).toBe(200);
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await row()).toHaveTextContent('Active'));
    expect((await hers())?.isActive).toBe(true);
  });

  test('of oneself is not offered, and says why', async () => {
    const { user, row } = await press(ADMINISTRATOR, 'Disable');
    const button = within(await row()).getByRole('button', { name: 'Disable' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription(expect.stringContaining('You cannot disable your own account.'));
    expect(button).toHaveAttribute('data-tip', 'You cannot disable your own account.');
    await user.click(button);
    expect(await row()).toHaveTextContent('Active');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('asks first where the open alerts go, and Escape leaves all as it is', async () => {
    const [app, mara] = [await appServer(), await member()];
    const ines = await app.addMember(`Ines ${uuidv7().slice(-8)}`);
    const id = await app.post({ customer: 'Left behind' });
    const users = (await (await app.admin.request('GET', '/api/auth/users')).json()) as { id: string; email: string }[];
    const idOf = (person: Person) => users.find(({ email }) => email === person.email)?.id;
    await app.admin.request('POST', `/api/alerts/${id}/assign`, { userId: idOf(mara) });
    const { user, row } = await press(mara, 'Disable');
    await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('Mara Lindqvist has 1 open alert.'));
    expect(await findings()).toEqual([]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(async () => expect(within(await row()).getByRole('button', { name: 'Disable' })).toHaveFocus());
    expect(await row()).toHaveTextContent('Active');

    await user.click(within(await row()).getByRole('button', { name: 'Disable' }));
    const dialog = await findDialog();
    await user.click(await dialog.findByText('goes to a colleague'));
    expect(dialog.getByRole('button', { name: 'Disable' })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'To' }));
    await choosePerson(user, ines.displayName);
    await user.click(dialog.getByRole('button', { name: 'Disable' }));
    await waitFor(async () => expect(await row()).toHaveTextContent('Disabled'));
    const theirs = await app.signIn(ines);
    const mine = await theirs.request('GET', '/api/alerts/mine');
    expect(await mine.json()).toMatchObject([{ id }]);
  });
});

test('a new password that the rule refuses is named each time, and the dialog ends with one that is taken', async () => {
  const mara = await member();
  const { user, row } = await press(mara, 'Reset Password');
  const dialog = await findDialog();
  expect(dialog.getByText(/Mara Lindqvist/)).toBeVisible();
  const password = dialog.getByLabelText('New Password');
  expect(password).toHaveFocus();
  const attempt = async (text: string) => {
    await user.clear(password);
    await user.type(password, text);
    await user.click(dialog.getByRole('button', { name: 'Reset Password' }));
  };
  await attempt('12345');
  expect(await findToast('Invalid password')).toHaveTextContent('Password must be at least 6 characters');
  expect(await findings()).toEqual([]);
  for (const [text, why] of [
    ['1234567', /Password must be at least 8 characters/],
    ['password123', /is too common/],
    ['ü'.repeat(37), /Password must be at most 72 bytes/],
  ] as const) {
    await attempt(text);
    await findToast(why);
  }
  await attempt('a new secret');
  await findToast('Password reset');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () => expect(within(await row()).getByRole('button', { name: 'Reset Password' })).toHaveFocus());
  const { url } = await appServer();
  const { cookies } = await signIn(url, { ...mara, password: 'a new secret' });
  expect(new Map(cookies).get('sid')).toMatch(/^\S{20,}$/);
});

test('a list that cannot be read says so, and can be asked for again', async () => {
  const restore = intercept('GET', '/api/auth/users', () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, PATH);
  expect(await screen.findByText('Users could not be loaded')).toBeVisible();
  expect(screen.getByText('The database is away.')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await findRow('Users', ADMINISTRATOR.email);
});

test('the break-glass administrator is marked, and what the app does not change of it says why', async () => {
  const app = await startServer({ BREAK_GLASS_ADMIN: ADMINISTRATOR.email });
  const other = await app.addMember('Other Administrator', 'admin');
  const user = await openPage(other, PATH, { app });
  const marked = await findRow('Users', ADMINISTRATOR.email);
  const reason = 'Can only be changed on the server, with npm run user.';
  expect(marked).toHaveTextContent('Break-glass');
  expect(marked).toHaveTextContent(reason);
  expect(await findRow('Users', other.email)).not.toHaveTextContent('Break-glass');
  for (const name of ['Reset Password', 'Disable']) {
    const button = within(marked).getByRole('button', { name });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription(expect.stringContaining(reason));
    await user.click(button);
  }
  expect(screen.queryByRole('dialog')).toBeNull();

  // Where they are signed in is seen, and ended, as everybody's.
  await user.click(within(marked).getByRole('button', { name: 'Edit' }));
  const dialog = await findDialog();
  expect(screen.getByRole('dialog')).toHaveTextContent(reason);
  for (const field of ['Email', 'Display Name', 'Role']) expect(dialog.getByLabelText(field)).toBeDisabled();
  expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(await findings()).toEqual([]);
});

test('members are searched by their name and their email', async () => {
  const app = await appServer();
  // An attempt before may have left its own.
  const name = `Search${crypto.randomUUID()}`;
  const searched = () => screen.queryAllByText(new RegExp(` ${name}$`)).map(({ textContent }) => textContent);
  const [mara, jonas] = [await app.addMember(`Mara ${name}`), await app.addMember(`Jonas ${name}`)];
  const user = await openPage(ADMINISTRATOR, PATH);
  const search = await screen.findByRole('searchbox', { name: 'Search users' });
  await findRow('Users', mara.email);
  await user.keyboard('/');
  expect(search).toHaveFocus();
  await user.keyboard(`mara ${name.toLowerCase()}`);
  await waitFor(() => expect(searched()).toEqual([mara.displayName]));
  await user.clear(search);
  await user.keyboard(jonas.email.toUpperCase());
  await waitFor(() => expect(searched()).toEqual([jonas.displayName]));
  await user.keyboard(' nowhere');
  await user.click(await screen.findByRole('button', { name: 'Clear the search' }));
  await findRow('Users', mara.email);
});
