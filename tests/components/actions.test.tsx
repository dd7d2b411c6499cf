import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import { ACTIONS, actionsOf, keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { COMPLETE, STATUSES } from '#renderer/alerts/actions/status.ts';
import type { PATHS } from '#renderer/lib/paths.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findConnected,
  findDialog,
  intercept,
  memberWithQueue,
  openCardMenu,
  openPage,
  refusal,
} from './support/open-page.tsx';

const ALERT = { customer: 'Nordwind', type: 'disk.full' };

/** The folders of the administrator, by tests before this one, too: their names must differ. */
let folders = 0;
function newFolder(queue: Queue, name: string): Promise<string> {
  folders += 1;
  return queue.folder(`${name} ${folders}`);
}

/** How an alert comes into a list in which all of its actions are offered, and where that list is. */
const LISTS: Record<Exclude<ListKind, 'all'>, (app: AppServer, queue: Queue) => Promise<string>> = {
  inbox: async (app) => {
    await app.post(ALERT);
    return '/';
  },
  queue: async (_app, queue) => {
    const folder = await newFolder(queue, 'Here');
    await queue.file(await queue.accept(ALERT), folder);
    return `/folder/${folder}`;
  },
  snoozed: async (app, queue) => {
    const id = await app.post(ALERT);
    await queue.client.request('POST', `/api/alerts/${id}/snooze`, { minutes: 60 });
    return '/snoozed';
  },
};

const menuLabel = ({ label, inMenu }: AlertAction): string => (inMenu && inMenu.label) || label;
const isStatus = (action: AlertAction): boolean => action === COMPLETE || STATUSES.includes(action);
const buttons = (element: HTMLElement): (string | null)[] =>
  within(element)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

/** What a menu, a palette or the sheet of keys says of an action with its key. */
const withKey = (action: AlertAction, label = action.label): string => `${label}${keyLabel(action)}`;

async function openList(kind: Exclude<ListKind, 'all'>): Promise<UserEvent> {
  const app = await appServer();
  await app.clear();
  const queue = await queueOf(app, ADMINISTRATOR);
  const path = await LISTS[kind](app, queue);
  // Another one, so that alerts can be moved there.
  await newFolder(queue, 'There');
  const user = await openPage(ADMINISTRATOR, path);
  await findConnected();
  await findCard('Nordwind');
  return user;
}

describe.each(['inbox', 'queue', 'snoozed'] as const)('each action of the %s is drawn', (kind) => {
  test('in the menu of a card', async () => {
    const user = await openList(kind);
    const shown = await openCardMenu(user, 'Nordwind');
    const wanted = actionsOf(kind).filter(({ inMenu }) => inMenu !== false);
    expect(shown).toEqual(expect.arrayContaining(wanted.map((action) => withKey(action, menuLabel(action)))));
  });

  test('in the menu of the open alert', async () => {
    const user = await openList(kind);
    await user.click(within(await findCard('Nordwind')).getByRole('link'));
    const panel = within(await screen.findByRole('complementary', { name: 'Alert details' }));
    await user.click(await panel.findByRole('button', { name: 'More actions' }));
    const menu = within(await screen.findByRole('menu', { name: 'Alert actions' }));
    const shown = menu.getAllByRole('menuitem').map(({ textContent }) => textContent);
    const wanted = actionsOf(kind).filter(({ inMenu }) => inMenu !== false);
    expect(shown).toEqual(expect.arrayContaining(wanted.map((action) => withKey(action, menuLabel(action)))));
  });

  test('in the palette and by its key', async () => {
    const user = await openList(kind);
    await user.keyboard('j{Control>}k{/Control}');
    const palette = await findDialog();
    const group = await palette.findByRole('group', { name: /Nordwind/ });
    const options = within(group).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(actionsOf(kind).map((action) => withKey(action)));
  });

  test('for what is selected', async () => {
    const user = await openList(kind);
    await user.keyboard('jx');
    const bar = await screen.findByRole('toolbar', { name: '1 selected' });
    const wanted = actionsOf(kind).filter((action) => action.many !== undefined && !isStatus(action));
    expect(buttons(bar)).toEqual(expect.arrayContaining(wanted.map((action) => withKey(action))));
    expect(buttons(bar).some((text) => text?.startsWith('Status'))).toBe(kind === 'queue');
  });
});

test('the statuses are in one menu of the bar, each with its key', async () => {
  const user = await openList('queue');
  await user.keyboard('jx');
  const bar = within(await screen.findByRole('toolbar', { name: '1 selected' }));
  await user.click(bar.getByRole('button', { name: /^Status/ }));
  const menu = within(await screen.findByRole('menu', { name: 'Status' }));
  expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(
    STATUSES.map((action) => withKey(action)),
  );
});

test('every key of an action is in the sheet of keys', async () => {
  const user = await openList('inbox');
  await user.keyboard('?');
  const sheet = await findDialog();
  for (const action of ACTIONS.filter(({ key }) => key !== undefined)) {
    const [term] = sheet.getAllByText(action.label, { selector: 'dt' });
    expect(term?.parentElement).toHaveTextContent(withKey(action));
  }
});

test('the sheet of keys says what the marks mean', async () => {
  const user = await openList('inbox');
  await user.keyboard('?');
  const sheet = await findDialog();
  const legend = within(sheet.getByRole('region', { name: 'Severity and state' })).getAllByRole('listitem');
  expect(legend.map(({ textContent }) => textContent)).toEqual(
    'Critical,High,Warning,Low,Info,Acknowledged,Resolved'.split(','),
  );
  expect(legend.map((row) => row.querySelector('svg')?.innerHTML).every(Boolean)).toBe(true);
});

/** How the palette names each screen that is not opened for one thing; `null` for those of who is not signed in. */
const PALETTE_NAMES = {
  inbox: 'New Alerts',
  myAlerts: 'My Alerts',
  snoozed: 'Snoozed',
  insight: 'Insight',
  folder: null,
  allFolders: 'My Folders',
  view: null,
  alert: null,
  settings: 'Settings',
  account: 'My account',
  admin: 'Admin Panel',
  users: 'Users',
  allAlerts: 'System-Wide Alerts',
  webhookEndpoint: 'Webhook Endpoint',
  apiKeys: 'API Keys',
  serviceTokens: 'Service Tokens',
  audit: 'Audit',
  sources: 'Sources',
  outgoing: 'Outgoing',
  incomingRules: 'Rules',
  maintenance: 'Maintenance',
  heartbeats: 'Heartbeats',
  login: null,
  join: null,
  resetPassword: null,
} satisfies Record<keyof typeof PATHS, string | null>;

test('the palette leads to every screen', async () => {
  const user = await openList('queue');
  await user.keyboard('{Control>}k{/Control}');
  const places = await (await findDialog()).findByRole('group', { name: 'Go to' });
  const shown = within(places)
    .getAllByRole('option')
    .map(({ textContent }) => textContent ?? '');
  const missing = Object.values(PALETTE_NAMES).filter(
    (name) => name !== null && !shown.some((label) => label.startsWith(name)),
  );
  expect(missing).toEqual([]);
});

test('keys of pages that only administrators have are in the sheet of administrators alone', async () => {
  const app = await appServer();
  for (const [person, isShown] of [
    [await app.addMember('Sunniva Berg', 'super_user'), false],
    [ADMINISTRATOR, true],
  ] as const) {
    const user = await openPage(person, '/');
    await screen.findByText('Connected');
    await user.keyboard('?');
    const sheet = await findDialog();
    expect(sheet.getByRole('region', { name: 'Go to' })).toBeInTheDocument();
    expect(sheet.queryByRole('region', { name: 'Admin pages' }) !== null).toBe(isShown);
  }
});

test('two actions of one list never share a key', () => {
  for (const kind of ['inbox', 'queue', 'snoozed', 'all'] as const) {
    const keys = actionsOf(kind).flatMap((action) => (action.key === undefined ? [] : [keyLabel(action)]));
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test('the links of what is selected are copied by one key, a line each', async () => {
  const user = await openList('inbox');
  const app = await appServer();
  await app.post({ customer: 'Atlas' });
  await findCard('Atlas');
  await user.keyboard('jxjx');
  await screen.findByRole('toolbar', { name: '2 selected' });
  await user.keyboard('y');
  await screen.findByText('Copied to clipboard');
  const lines = (await navigator.clipboard.readText()).split('\n');
  const ids = screen.getAllByRole('article').map((card) => card.dataset['alertId']);
  expect(lines.toSorted()).toEqual(ids.map((id) => `${location.origin}/alert/${id}`).toSorted());
});

/** A member files the one alert of the inbox from the menu of its card. */
async function fileFromInbox() {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await queue.folder('There');
  await app.post(ALERT);
  const user = await openPage(mara, '/');
  await findConnected();
  await openCardMenu(user, 'Nordwind');
  await user.click(await screen.findByRole('menuitem', { name: /^Move to/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to There' }));
  await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument());
  return user;
}

test('an alert of the inbox is filed from its menu in one step', async () => {
  const user = await fileFromInbox();
  await screen.findByText('Alert moved');
  await user.keyboard('z');
  expect(await findCard('Nordwind')).toBeVisible();
});

test('one that was filed so and cannot be read then is moved all the same, and that is undone', async () => {
  intercept('GET', /^\/api\/alerts\/[\da-f-]{36}$/, () => refusal(503, 'The database is away.'));
  const user = await fileFromInbox();
  await screen.findByText('Alert moved');
  await user.keyboard('z');
  expect(await findCard('Nordwind')).toBeVisible();
});
