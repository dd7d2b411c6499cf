import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ruleSchema } from '#backend/contract/rule.ts';
import type { Role } from '#backend/contract/session.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { makeSource } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, NOBODY, appServer, intercept, json, openPage, startServer } from './support/open-page.tsx';

/** What stands between About and Logout in everybody's menu. */
const PAUSES = ['Pause notifications for 1 hour', 'Pause until tomorrow'];

/** Each card of the Admin Panel, with the path and the title of its page. */
const CARDS = [
  ['Sources', '/admin/sources', 'Sources'],
  ['All System Alerts', '/admin/alerts', 'System-Wide Alerts'],
  ['User Management', '/admin/users', 'User Management'],
  ['Webhook Endpoint', '/admin/webhook', 'Webhook Endpoint'],
  ['API Keys', '/admin/api-keys', 'API Keys'],
  ['Service Tokens', '/admin/service-tokens', 'Service Tokens'],
  ['Audit', '/admin/audit', 'Audit'],
  ['Outgoing', '/admin/outgoing/destinations', 'Outgoing'],
  ['Heartbeats', '/heartbeats', 'Heartbeats'],
  ['Maintenance', '/maintenance', 'Maintenance'],
  ['Rules', '/admin/rules', 'Rules'],
] as const;

const BACK = 'Back to Admin Panel';

const expectToBeAt = (path: string) => waitFor(() => expect(location.pathname).toBe(path));
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const cards = async () => within(await screen.findByRole('main')).findAllByRole('link');
const member = async (name: string, role: Role) => (await appServer()).addMember(name, role);

const accountButton = () => screen.getByRole('button', { name: new RegExp(ADMINISTRATOR.email) });

/** Opens the user menu at a path. */
async function openMenu(person: Person, path: string) {
  const user = await openPage(person, path);
  await user.click(await screen.findByRole('button', { name: new RegExp(person.email) }));
  await screen.findByRole('menuitem', { name: 'Logout' });
  return { user, entries: screen.getAllByRole('menuitem').map(({ textContent }) => textContent) };
}

describe('an administrator', () => {
  test('comes by the menu to the Admin Panel, by its cards to each page, and back', async () => {
    const { user, entries } = await openMenu(ADMINISTRATOR, '/');
    expect(entries).toEqual(['My account', 'Settings', 'Admin Panel', 'Sources', 'About', ...PAUSES, 'Logout']);
    await user.click(screen.getByRole('menuitem', { name: 'Admin Panel' }));
    await expectToBeAt('/admin');
    await heading('Admin Panel');
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Logout' })).toBeNull());
    expect((await cards()).map(({ textContent }) => textContent)).toEqual(
      CARDS.map(([name]) => expect.stringContaining(name)),
    );
    for (const [name, path, title] of CARDS) {
      const card = (await cards()).find(({ textContent }) => textContent?.startsWith(name));
      if (!card) throw new Error(`There is no card "${name}".`);
      await user.click(card);
      await expectToBeAt(path);
      await heading(title);
      // Pages about sources have a path of links instead, and heartbeats and maintenance are read by all.
      if (!/^\/(?:admin\/sources|heartbeats|maintenance)/.test(path))
        await user.click(await screen.findByRole('link', { name: BACK }));
      else history.back();
      await heading('Admin Panel');
    }
  });

  test('sees in the menu that they are in the Admin Panel', async () => {
    await openMenu(ADMINISTRATOR, '/admin/users');
    expect(screen.getByRole('menuitem', { name: 'Admin Panel' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('menuitem', { name: 'Settings' })).not.toHaveAttribute('aria-current', 'page');
  });

  test('sees the 404 card for an admin page that does not exist; nobody signed in is asked to sign in', async () => {
    await openPage(ADMINISTRATOR, '/admin/nowhere');
    await heading('Page Not Found');
    await openPage(NOBODY, '/admin/users');
    await expectToBeAt('/login');
  });
});

test('a super user sees the card of all alerts only, and is sent away from the others’ pages', async () => {
  const sunniva = await member('Sunniva Berg', 'super_user');
  const { entries } = await openMenu(sunniva, '/admin');
  expect(entries).toEqual(['My account', 'Settings', 'Admin Panel', 'About', ...PAUSES, 'Logout']);
  expect((await cards()).map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^All System Alerts/)]);
  for (const path of ['/admin/users', '/admin/webhook', '/admin/api-keys', '/admin/service-tokens']) {
    await openPage(sunniva, path);
    await expectToBeAt('/');
  }
});

test('a user has no Admin Panel in the menu, and is sent away from every admin page', async () => {
  const mara = await member('Mara Lindqvist', 'user');
  const { entries } = await openMenu(mara, '/');
  expect(entries).toEqual(['My account', 'Settings', 'About', ...PAUSES, 'Logout']);
  const below = CARDS.map(([, at]) => at).filter((path) => path.startsWith('/admin'));
  for (const path of ['/admin', ...below, '/admin/nowhere']) {
    await openPage(mara, path);
    await expectToBeAt('/');
  }
});

test('a dot on the user menu says that a source refuses, while it does', async () => {
  const app = await appServer();
  const user = await openPage(ADMINISTRATOR, '/');
  await screen.findByText('Connected');
  const { id, key } = await makeSource(app, `Refusing source ${Date.now()}`);
  onTestFinished(() => app.admin.deleteApiKey(id));
  for (let request = 0; request < 3; request += 1) {
    const answer = await fetch(new URL('/webhook', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': key, connection: 'close' },
      body: '{',
    });
    expect(answer.status).toBe(400);
  }
  await waitFor(() => expect(accountButton()).toHaveAccessibleName(/1 source is refusing/));
  await user.click(accountButton());
  expect(await screen.findByRole('menuitem', { name: /^Sources/ })).toHaveTextContent('1 source is refusing');
  await user.keyboard('{Escape}');
  await app.admin.deleteApiKey(id);
  await waitFor(() => expect(accountButton()).not.toHaveAccessibleName(/refusing/));
});

test('a page that shows no sources reads which need attention, and not the sources', async () => {
  const read: string[] = [];
  intercept('GET', /^\/api\/source/, ({ url }, go) => {
    read.push(url.pathname);
    return go();
  });
  intercept('GET', '/api/source-health', () => json({ refusing: ['a', 'b'], silent: [] }));
  await openPage(ADMINISTRATOR, '/');
  await waitFor(() => expect(accountButton()).toHaveAccessibleName(/2 sources are refusing/));
  expect(read).not.toContain('/api/sources');
});

test('without samples the Admin Panel says that nothing reached a page, and on how many servers', async () => {
  const none = { samples: 0, medianMs: null, p95Ms: null, p99Ms: null };
  intercept('GET', '/api/latency', () => json({ minutes: 5, servers: 2, delivered: none, shown: none }));
  await openPage(ADMINISTRATOR, '/admin');
  const panel = await screen.findByRole('region', { name: 'From webhook to screen' });
  await waitFor(() => expect(panel).toHaveTextContent('No new alert reached an open page in the last 5 minutes.'));
  expect(panel).toHaveTextContent('on one of 2 servers');
});

test('in the audit trail a name from right to left leaves the direction of what stands below it', async () => {
  // The trail of the shared server is long, and the ids of its sign-ins are those of the tests' process: not all of it is in order.
  const app = await startServer();
  const search = 'customer:"Nobody at all"';
  const rule = { name: 'مراقبة الإنتاج', search, actions: { severity: 'low' } };
  ruleSchema.parse(await (await app.admin.request('POST', '/api/rules', rule)).json());
  await openPage(ADMINISTRATOR, '/admin/audit', { app });
  for (const text of [rule.name, search])
    expect((await screen.findByText(text)).closest('bdi, [dir]')?.textContent).toBe(text);
});
