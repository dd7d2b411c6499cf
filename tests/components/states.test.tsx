import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { hold } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  NOBODY,
  appServer,
  findCard,
  findToast,
  intercept,
  json,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
});

test('the sidebar shows the app’s name, both groups and the member, called User without a name; the header shows its title', async () => {
  await openPage(mara, '/');
  const sidebar = await screen.findByRole('complementary', { name: 'Sidebar' });
  for (const text of ['Alertdesk', 'Webhook Alerts', 'Alerts', 'Folders'])
    expect(within(sidebar).getByText(text)).toBeVisible();
  expect(screen.getByRole('banner')).toHaveTextContent('Alert Management');
  expect(sidebar).toHaveTextContent(mara.email);
  expect(sidebar).toHaveTextContent('Mara Lindqvist');

  intercept('GET', '/api/auth/session', async (_call, go) => json({ ...(await (await go()).json()), displayName: '' }));
  await openPage(mara, '/');
  expect(await screen.findByRole('button', { name: new RegExp(mara.email) })).toHaveTextContent('User');
});

const signIn = () => screen.findByRole('button', { name: 'Sign In' });

test('the bars in place of a list have the layout of its cards as soon as they are there, so that they do not jump', async () => {
  await app.post({ customer: 'Behind the bars' });
  const release = hold('GET', '/api/alerts/inbox');
  await openPage(mara, '/');
  const loading = await screen.findByText(/^Loading .*…$/);
  // Nothing calls back here when the browser has laid the page out.
  expect(loading.nextElementSibling).toHaveClass('alert-list__list_wide');
  release();
  await findCard('Behind the bars');
});

describe('the sign-in form', () => {
  test('sends nothing without e-mail and password, shows the app’s own message for a failure without one, and says that it is in progress', async () => {
    const user = await openPage(NOBODY, '/login');
    const sent: string[] = [];
    const release = intercept('POST', /^/, ({ url }) => {
      sent.push(url.pathname);
      throw new TypeError('fetch failed');
    });
    const email = await screen.findByLabelText<HTMLInputElement>('Email');
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    await user.click(await signIn());
    expect(email.validity.valueMissing).toBe(true);
    await user.type(email, ADMINISTRATOR.email);
    await user.click(await signIn());
    expect(password.validity.valueMissing).toBe(true);
    expect(sent).toEqual([]);

    await user.type(password, ADMINISTRATOR.password);
    await user.click(await signIn());
    expect(await findToast('Login failed')).toHaveTextContent(
      'The server could not be reached. Check your connection and try again.',
    );
    expect(sent).toEqual(['/api/auth/login']);
    release();
    const { promise, resolve } = Promise.withResolvers<void>();
    intercept('POST', '/api/auth/login', async (_call, go) => {
      await promise;
      return go();
    });
    await user.click(await signIn());
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toHaveAttribute('aria-disabled', 'true');
    resolve();
    await waitFor(() => expect(location.pathname).toBe('/'));
  });

  test('shows the default administrator where the server reveals it', async () => {
    intercept('GET', '/api/auth/default-credentials', ({ headers }) =>
      headers.get('authorization') === 'Bearer printed-at-first-start'
        ? json({ email: 'admin@alertdesk.local', password: 'made-at-first-start' })
        : new Response('', { status: 404 }),
    );
    await openPage(NOBODY, '/login#setup=printed-at-first-start');
    const panel = await screen.findByRole('region', { name: 'Default administrator' });
    expect(panel).toHaveTextContent('admin@alertdesk.local');
    expect(panel).toHaveTextContent('made-at-first-start');
  });
});

test('the history says that it is loading, when there is none, and is fetched each time it opens', async () => {
  await (await queueOf(app, mara)).accept({ customer: 'Nordwind' });
  let asked = 0;
  let isEmpty = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  intercept('GET', /^\/api\/alerts\/[^/]+\/history$/, async (_call, go) => {
    asked += 1;
    await promise;
    // The greeting may have it read again before it is shown.
    return isEmpty ? json([]) : go();
  });
  const user = await openPage(mara, '/my-alerts');
  const open = async () => {
    await user.click(within(await findCard('Nordwind')).getByRole('button', { name: 'Alert history' }));
    return screen.findByRole('dialog', { name: 'Alert History' });
  };
  const history = await open();
  await waitFor(() => expect(history).toHaveTextContent('Loading history...'));
  resolve();
  await waitFor(() => expect(history).toHaveTextContent('Accepted'));
  expect(history).toHaveTextContent(/[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M/);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const before = asked;
  isEmpty = true;
  const again = await open();
  await waitFor(() => expect(again).toHaveTextContent('No history available'));
  expect(asked).toBeGreaterThan(before);
});

test('Escape closes a dialog that does not have the focus yet, and nothing behind it', async () => {
  const id = await (await queueOf(app, mara)).accept({ customer: 'Nordwind' });
  const user = await openPage(mara, `/alert/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Assign' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).not.toContainElement(document.activeElement as HTMLElement);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(location.pathname).toBe(`/alert/${id}`);
});

test('an alert without a customer is announced as a new webhook alert', async () => {
  await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await app.post({ note: 'nobody named' });
  expect(await findToast('New alert received')).toHaveTextContent('A new webhook alert has arrived');
});

test('every card of inbox, queue and folder shows its time as Nov 21, 9:42 PM', async () => {
  await app.clear();
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  await app.post({ customer: 'Waiting' });
  await queue.accept({ customer: 'Queued' });
  await queue.file(await queue.accept({ customer: 'Filed' }), folder);
  for (const [path, customer] of [
    ['/', 'Waiting'],
    ['/my-alerts', 'Queued'],
    [`/folder/${folder}`, 'Filed'],
  ] as const) {
    await openPage(mara, path);
    const time = (await findCard(customer)).querySelector('.alert-card__time time');
    expect(time).toHaveTextContent(/^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d [AP]M$/);
  }
});
