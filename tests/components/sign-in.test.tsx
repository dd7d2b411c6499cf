import { screen, waitFor } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { ADMINISTRATOR, NOBODY, appServer, findToast, intercept, openPage } from './support/open-page.tsx';

const expectToBeAt = (path: string) => waitFor(() => expect(location.pathname).toBe(path));

async function fillIn(user: UserEvent, email: string, password: string): Promise<void> {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
}

test('a wrong password is reported, and nobody is signed in', async () => {
  const user = await openPage(NOBODY, '/login');
  await fillIn(user, ADMINISTRATOR.email, 'wrong password');
  expect(await findToast('Login failed')).toHaveTextContent('Invalid email or password');
  expect(location.pathname).toBe('/login');
});

test('the sign-in form asks for an e-mail address', async () => {
  const sent: string[] = [];
  intercept('POST', /^/, ({ url }, go) => {
    sent.push(url.pathname);
    return go();
  });
  const user = await openPage(NOBODY, '/login');
  await fillIn(user, 'not an address', 'x');
  expect(screen.getByLabelText<HTMLInputElement>('Email').validity.typeMismatch).toBe(true);
  expect(sent).toEqual([]);
});

test('a screen asked for without a session comes after signing in', async () => {
  const user = await openPage(NOBODY, '/my-alerts');
  await expectToBeAt('/login');
  await fillIn(user, ADMINISTRATOR.email, ADMINISTRATOR.password);
  await expectToBeAt('/my-alerts');
  await findToast('Login successful');
  expect(await screen.findByText('Alert Management')).toBeVisible();
});

test('who is signed in is not asked to sign in', async () => {
  await openPage(ADMINISTRATOR, '/login');
  await expectToBeAt('/');
});

test('a member is sent away from the admin panel, an unknown address shows the 404 card to everybody', async () => {
  const mara = await (await appServer()).addMember('Mara Lindqvist');
  await openPage(mara, '/admin');
  await expectToBeAt('/');
  for (const person of [mara, NOBODY] satisfies (Person | typeof NOBODY)[]) {
    await openPage(person, '/no/such/page');
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  }
});

const NOTICE = 'An administrator ended your session.';

test('whose session an administrator ends is shown why, until they sign in again; strangers are not', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  const { id } = await (await fetch('/api/auth/session')).json();
  await app.admin.request('DELETE', `/api/auth/users/${id}/sessions`);
  expect(await screen.findByText(NOTICE)).toBeVisible();
  expect(location.pathname).toBe('/login');

  await fillIn(user, mara.email, mara.password);
  await expectToBeAt('/my-alerts');
  await user.click(await screen.findByRole('button', { name: /Mara Lindqvist/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await expectToBeAt('/login');
  await screen.findByLabelText('Email');
  expect(screen.queryByText(NOTICE)).toBeNull();
  await openPage(NOBODY, '/login');
  await screen.findByLabelText('Email');
  expect(screen.queryByText(NOTICE)).toBeNull();
});
