import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { rememberPage } from '#renderer/session/go-to-provider.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import {
  ADMINISTRATOR,
  NOBODY,
  appServer,
  findCard,
  findConnected,
  findToast,
  intercept,
  json,
  liveSockets,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

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

/** What another tab of the page's browser does. */
const signInElsewhere = ({ email, password }: Person) =>
  fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

/** Waits until the page is connected by another connection than the one that a test ends. */
async function findConnectedAgain(endCurrent: () => Promise<unknown>): Promise<void> {
  const before = liveSockets.length;
  await endCurrent();
  await waitFor(() => expect(liveSockets.length).toBeGreaterThan(before));
  await screen.findByText('Connected');
}

test('who signs in again in another tab stays in this one, live', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await findConnectedAgain(() => signInElsewhere(mara));
  expect(location.pathname).toBe('/my-alerts');
});

test('whose session ends while their browser has another one stays, live', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  const { id } = await (await fetch('/api/auth/session')).json();
  // The page asks who is signed in once it has lost its session, and again while the server cannot answer.
  let asked = 0;
  intercept('GET', '/api/auth/session', async (_call, go) => {
    asked += 1;
    if (asked === 1) return refusal(503, 'The server is busy.');
    if (asked === 2) await signInElsewhere(mara);
    return asked === 2 ? fetch('/api/auth/session') : go();
  });
  await findConnectedAgain(() => app.admin.request('DELETE', `/api/auth/users/${id}/sessions`));
  expect(location.pathname).toBe('/my-alerts');
  expect(screen.queryByText(NOTICE)).toBeNull();
});

/** Expects times on screen to be those of who reads 24 hours. */
const expect24Hours = () =>
  waitFor(() =>
    expect(screen.getByRole('list', { name: 'Sessions' })).toHaveTextContent(/Signed in .* at \d\d:\d\d from/),
  );

test('whose session came back with another time format reads times by it', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  await openPage(mara, '/account');
  await findConnected();
  const { id } = await (await fetch('/api/auth/session')).json();
  intercept('GET', '/api/auth/session', async () =>
    json({ ...(await (await signInElsewhere(mara)).json()), timeFormat: '24h' }),
  );
  await findConnectedAgain(() => app.admin.request('DELETE', `/api/auth/users/${id}/sessions`));
  await expect24Hours();
});

test('who signs in at a provider reads times in their own format and zone', async () => {
  const { mara, queue } = await memberWithQueue();
  await queue.client.request('PATCH', '/api/auth/profile', { timeFormat: '24h', timeZone: 'Asia/Tokyo' });
  intercept('POST', '/api/auth/oidc/company/callback', () => signInElsewhere(mara));
  await openPage(NOBODY, '/login/company/callback?code=x&state=y');
  rememberPage('/account');
  await findToast('Login successful');
  await expectToBeAt('/account');
  await expect24Hours();
  expect(timeZoneHere()).toBe('Asia/Tokyo');
});

test('a failed link to a provider offers no sign-in there, which would end the session', async () => {
  const mara = await (await appServer()).addMember('Mara Lindqvist');
  const started: string[] = [];
  intercept('POST', '/api/auth/oidc/company/start', ({ url }, go) => {
    started.push(url.pathname);
    return go();
  });
  intercept('POST', '/api/auth/oidc/company/callback', () => refusal(401, 'This sign-in is over. Start again.'));
  const user = await openPage(mara, '/login/company/callback?error=access_denied&state=y');
  expect(await screen.findByText('This sign-in is over. Start again.')).toBeVisible();
  const back = await screen.findByRole('link', { name: 'Back to My account' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await user.click(back);
  await expectToBeAt('/account');
  expect(started).toEqual([]);
});

test('a failed sign-in at a provider can be tried again there', async () => {
  intercept('POST', '/api/auth/oidc/company/callback', () => refusal(401, 'This sign-in is over. Start again.'));
  const user = await openPage(NOBODY, '/login/company/callback?error=access_denied&state=y');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await expectToBeAt('/login/company');
});

test('who signs in to the desktop app through the browser reads times in their own zone', async () => {
  const { mara, queue } = await memberWithQueue();
  await queue.client.request('PATCH', '/api/auth/profile', { timeZone: 'Pacific/Auckland' });
  const options = { hasMail: false, hasPasswords: true, providers: [{ id: 'company', name: 'Example Corp' }] };
  intercept('GET', '/api/auth/options', () => json(options));
  intercept('POST', '/api/auth/oidc/app', () => signInElsewhere(mara));
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  let come: ((link: { code: string }) => void) | undefined;
  vi.stubGlobal('alertdesk', {
    on: (_name: string, listener: typeof come) => {
      come = listener;
      return () => undefined;
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    opened.mockRestore();
  });
  const user = await openPage(NOBODY, '/login');
  await user.click(await screen.findByRole('button', { name: 'Sign in with Example Corp' }));
  await screen.findByRole('button', { name: 'Open the browser again' });
  come?.({ code: 'made-in-the-browser' });
  await findToast('Login successful');
  expect(timeZoneHere()).toBe('Pacific/Auckland');
});

test('a page whose browser is signed in by somebody who owes a second step keeps nothing of its member', async () => {
  const app = await appServer();
  await app.clear();
  await app.post({ customer: 'Quayside Ferries' });
  const [mara, ben] = [await app.addMember('Mara Lindqvist'), await app.addMember('Ben Okafor')];
  const user = await openPage(mara, '/');
  await findConnected();
  await user.click(within(await findCard('Quayside Ferries')).getByRole('button', { name: 'Delete' }));
  await findToast('Alert deleted');
  intercept('GET', '/api/auth/session', async (_call, go) =>
    json({ ...(await (await go()).json()), mustSetUpSecondStep: true }),
  );
  await signInElsewhere(ben);
  // What she deleted last is dropped, and not sent under his session.
  await findToast('Not saved');
  await screen.findByRole('heading', { name: 'Set up a second step' });
  expect(await app.inbox()).toHaveLength(1);
});
