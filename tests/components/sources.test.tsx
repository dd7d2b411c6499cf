import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import { sourceListSchema, sourceSchema } from '#backend/contract/source.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, send } from '#tests/e2e/support/sources.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findToast,
  findings,
  intercept,
  json,
  liveSockets,
  openPage,
  refusal,
} from './support/open-page.tsx';

const PATH = '/admin/sources';
const API = '/api/sources';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await clearSources(app);
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { exact: true });

/** The row of a source. */
async function row(name: string): Promise<HTMLElement> {
  const found = (await screen.findByRole('link', { name })).closest<HTMLElement>('tr');
  if (!found) throw new Error(`${name} is in no row.`);
  return found;
}

const rotate = () => screen.findByRole('button', { name: 'Rotate API key' });

const names = async () => {
  const table = await screen.findByRole('table', { name: 'Sources' });
  return within(table)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
};

describe('the list of sources', () => {
  test('keeps its order while it is open', async () => {
    const { id } = await makeSource(app, 'Zebra');
    await openPage(ADMINISTRATOR, PATH);
    await waitFor(async () => expect(await names()).toEqual(['End-to-end tests', 'Zebra']));
    await findConnected();
    await app.admin.request('PATCH', `/api/sources/${id}`, { name: 'Aardvark' });
    await makeSource(app, 'Badger');
    await waitFor(async () => expect(await names()).toEqual(['End-to-end tests', 'Aardvark', 'Badger']));
    await openPage(ADMINISTRATOR, PATH);
    await waitFor(async () => expect(await names()).toEqual(['Aardvark', 'Badger', 'End-to-end tests']));
  });

  test('has sender and health, is searched with the slash key, and leads to the sources’ pages', async () => {
    await makeSource(app, 'Kestrel uptime', 'uptime-kuma');
    await makeSource(app, 'Shop orders', 'generic');
    const user = await openPage(ADMINISTRATOR, '/admin');
    await heading('Admin Panel');
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: /^Sources/ }));
    await waitFor(() => expect(location.pathname).toBe(PATH));
    await heading('Sources');
    await waitFor(() => expect(screen.getByRole('main')).toHaveTextContent('3 sources'));
    expect(await row('Kestrel uptime')).toHaveTextContent('Uptime Kuma');
    expect(await row('Kestrel uptime')).toHaveTextContent('Never used');
    await user.keyboard('/');
    expect(await field('Search sources')).toHaveFocus();
    await user.keyboard('any json');
    // What the tests post with may have sent any JSON by now, too.
    await waitFor(async () => expect(await names()).not.toContain('Kestrel uptime'));
    expect(await names()).toContain('Shop orders');
    await user.clear(await field('Search sources'));
    await user.keyboard('nothing of the kind');
    expect(await screen.findByText('No sources match “nothing of the kind”')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear search' }));

    await user.click(await screen.findByRole('button', { name: /^Health/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Never used' }));
    await user.click(within(await row('Kestrel uptime')).getByRole('link', { name: 'Kestrel uptime' }));
    await heading('Kestrel uptime');
    expect(screen.getByRole('link', { name: 'Deliveries' })).toHaveAttribute('aria-current', 'page');
  });

  test('pauses a source from its menu, takes that back, and deletes it after a question', async () => {
    const { key } = await makeSource(app, 'Oakline stock sync');
    const user = await openPage(ADMINISTRATOR, PATH);
    const openMenu = async () => {
      const source = within(await row('Oakline stock sync'));
      await user.click(source.getByRole('button', { name: 'Actions for Oakline stock sync' }));
      return screen.findAllByRole('menuitem');
    };
    expect((await openMenu()).map(({ textContent }) => textContent)).toEqual([
      'Open',
      'Copy address',
      'Send test',
      'Rotate API key',
      'Pause',
      'Delete',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Pause' }));
    await waitFor(async () => expect(await row('Oakline stock sync')).toHaveTextContent('Paused'));
    expect(await row('Oakline stock sync')).toHaveTextContent('By Administrator');
    const toast = await findToast('Source paused');
    await user.click(within(toast).getByRole('button', { name: /^Undo/ }));
    await waitFor(async () => expect(await row('Oakline stock sync')).toHaveTextContent('Never used'));

    await openMenu();
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    const question = await dialog('Delete “Oakline stock sync”?');
    expect(question.getByText(/Its alerts are kept\./)).toBeVisible();
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    expect(await findings()).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Delete source' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Oakline stock sync' })).toBeNull());
    expect((await send(app, key, {})).status).toBe(401);
  });

  test('that cannot be loaded says so, as does one that is empty, and a source that is gone', async () => {
    const restore = intercept('GET', API, () => refusal(503, 'The database does not answer.'));
    const user = await openPage(ADMINISTRATOR, PATH);
    expect(await screen.findByText('Sources could not be loaded')).toBeVisible();
    expect(screen.getByText('The database does not answer.')).toBeVisible();
    restore();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await row('End-to-end tests');
    intercept('GET', API, () => json([]));
    await openPage(ADMINISTRATOR, PATH);
    expect(await screen.findByText('No sources yet')).toBeVisible();
    await openPage(ADMINISTRATOR, `${PATH}/0190a000-0000-7000-8000-000000000000/settings`);
    expect(await screen.findByText('Source not found')).toBeVisible();
  });

  test('is for administrators alone', async () => {
    for (const role of ['user', 'super_user'] as const) {
      await openPage(await app.addMember('Sunniva Berg', role), PATH);
      await waitFor(() => expect(location.pathname).toBe('/'));
    }
  });
});

describe('a new source', () => {
  test('whose secret was copied needs no question, and a name that exists is said below its field', async () => {
    await makeSource(app, 'Night shift');
    const user = await openPage(ADMINISTRATOR, `${PATH}/new`);
    const name = await field('Name');
    expect(screen.getByRole('button', { name: 'Create source' })).toBeDisabled();
    await user.type(name, 'Night shift{Enter}');
    expect(await screen.findByText('A source with this name already exists.')).toBeVisible();
    expect(name).toHaveValue('Night shift');
    await user.clear(name);
    await user.type(name, 'Day shift{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Copy API key' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/^ad_[\w-]{43}$/);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await heading('Day shift');
  });

  test('waits for its first delivery, and shows what it became', async () => {
    const user = await openPage(ADMINISTRATOR, `${PATH}/new?sender=generic`);
    const name = await field('Name');
    await user.clear(name);
    await user.type(name, 'Shop orders');
    await user.click(screen.getByRole('button', { name: 'Create source' }));
    expect(await screen.findByText('Waiting for the first delivery…')).toBeVisible();
    const key = [...document.querySelectorAll('.secret-field__text')].find((one) => one.textContent?.startsWith('ad_'));
    const sent = { title: 'Card issuer declined', customer: 'Harbor & Finch' };
    expect((await send(app, key?.textContent ?? '', sent)).status).toBe(202);
    const arrived = await screen.findByRole('region', { name: 'First delivery' });
    await waitFor(() => expect(arrived).toHaveTextContent(/Arrived after \d/));
    expect(arrived).toHaveTextContent('Card issuer declined');
    expect(arrived).toHaveTextContent('Harbor & Finch');
    expect(screen.getByRole('button', { name: 'Open source' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'How this alert was created' }));
    await user.click(await screen.findByRole('button', { name: 'Leave without it' }));
    await screen.findByRole('heading', { name: 'How this alert was created' });
  });

  test('of the Events API shows the address that its tools post to', async () => {
    const user = await openPage(ADMINISTRATOR, `${PATH}/new?sender=pagerduty-events`);
    await user.click(await screen.findByRole('button', { name: 'Create source' }));
    const secret = await screen.findByRole('region', { name: 'Address and credentials' });
    expect(secret).toHaveTextContent('/v2/enqueue');
    expect(secret).not.toHaveTextContent('Cannot set a header?');
  });
});

describe('a source for clients of Opsgenie', () => {
  test('takes a key over that its senders have, and says why not', async () => {
    const user = await openPage(ADMINISTRATOR, `${PATH}/new?sender=opsgenie`);
    const name = await field('Name');
    await user.clear(name);
    await user.type(name, 'Paging{Enter}');
    const secret = await screen.findByRole('region', { name: 'Address and credentials' });
    expect(secret).toHaveTextContent('/v2/alerts');
    const own = crypto.randomUUID();
    const existing = await field('Existing API key');
    await user.type(existing, `${own.slice(0, 8)}{Enter}`);
    expect(await screen.findByRole('alert')).toBeVisible();
    await user.clear(existing);
    await user.type(existing, `${own}{Enter}`);
    expect(await screen.findByText(`The key …${own.slice(-4)} is accepted.`, { exact: false })).toBeVisible();
    expect(existing).toHaveValue('');
    const answer = await fetch(new URL('/v2/alerts', app.url), {
      method: 'POST',
      headers: { Authorization: `GenieKey ${own}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Disk of db-7 is full', alias: 'db-7' }),
    });
    expect(answer.status).toBe(202);
    const arrived = await screen.findByRole('region', { name: 'First delivery' });
    await waitFor(() => expect(arrived).toHaveTextContent('Disk of db-7 is full'));
  });
});

describe('the settings of a source', () => {
  test('save at once and can be undone; a way that is in use is asked about', async () => {
    const { id } = await makeSource(app, 'Settled');
    const settings = async () => {
      const sources = sourceListSchema.parse(await (await app.admin.request('GET', API)).json());
      return sources.find((source) => source.id === id)?.settings;
    };
    const user = await openPage(ADMINISTRATOR, `${PATH}/${id}/settings`);
    await user.selectOptions(await field('Reopen after completion'), '60');
    const toast = await findToast('Reopen after completion saved');
    expect((await settings())?.reopenWithinMinutes).toBe(60);
    await user.click(within(toast).getByRole('button', { name: /^Undo/ }));
    await waitFor(async () => expect(await field('Reopen after completion')).toHaveValue('15'));
    expect(await field('When an alert is no longer reported')).toHaveValue('automatic');
    await user.selectOptions(await field('When an alert is no longer reported'), '240');
    await waitFor(async () => expect((await settings())?.completeUnreported).toBe(240));

    const name = await field('Name');
    await user.clear(name);
    await user.type(name, 'Settled better{Enter}');
    await heading('Settled better');

    for (const [way, known] of [
      ['Basic authentication', 'basic'],
      ['Token in the address', 'token'],
    ] as const) {
      await user.click(screen.getByRole('checkbox', { name: way }));
      await waitFor(async () => expect((await settings())?.auth[known]).toBe(false));
      await waitFor(() => expect(screen.getByRole('checkbox', { name: way })).not.toBeChecked());
    }
    await user.click(screen.getByRole('checkbox', { name: 'API key in a header' }));
    const question = await dialog('Turn off “API key in a header”?');
    expect(question.getByText(/the only method that is on/)).toBeVisible();
    await user.keyboard('{Escape}');
    await closed();
    expect((await settings())?.auth.key).toBe(true);
  });

  test('rotate its secret, which is shown once; the old one works until it is expired', async () => {
    const { id, key } = await makeSource(app, 'Rotated');
    const user = await openPage(ADMINISTRATOR, `${PATH}/${id}/settings`);
    await user.click(await rotate());
    await user.click((await dialog('Rotate API key of “Rotated”?')).getByRole('button', { name: 'Rotate API key' }));
    const shown = await dialog('New API key');
    const fresh = document.querySelector('[role=dialog] .secret-field__text')?.textContent ?? '';
    expect(fresh).toMatch(/^ad_/);
    await user.keyboard('{Escape}');
    expect(await shown.findByText(/You have not copied it\./)).toBeVisible();
    await user.click(shown.getByRole('button', { name: 'Keep open' }));
    await user.click(shown.getByRole('button', { name: 'Copy API key' }));
    await shown.findByText('Copied');
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await closed();
    expect(await screen.findByText(/^Expires in 2[34] h$/)).toBeVisible();
    expect(await rotate()).toBeDisabled();
    expect((await send(app, key, {})).status).toBe(202);
    // What the page shows then is of its own call, and not of the event that follows.
    liveSockets.at(-1)?.pause();
    await user.click(screen.getByRole('button', { name: /^Expire now/ }));
    await waitFor(async () => expect(await rotate()).toBeEnabled());
    expect(screen.queryByText('Failed to revoke the credential')).toBeNull();
    expect((await send(app, key, {})).status).toBe(401);
    expect((await send(app, fresh, {})).status).toBe(202);

    // A colleague removes a signing secret first.
    const added = await app.admin.request('POST', `${API}/${id}/signing-secrets`, { secret: 'of an old sender' });
    const { secrets } = sourceSchema.parse(await added.json());
    await openPage(ADMINISTRATOR, `${PATH}/${id}/settings`);
    const remove = await screen.findByRole('button', { name: /^Remove, Signing secret/ });
    await screen.findByText('Connected');
    liveSockets.at(-1)?.pause();
    const signing = secrets.find(({ kind }) => kind === 'signing')?.id;
    expect((await app.admin.request('DELETE', `${API}/${id}/secrets/${signing}`)).status).toBe(204);
    await user.click(remove);
    await waitFor(() => expect(remove).not.toBeInTheDocument());
    expect(screen.queryByText('Failed to revoke the credential')).toBeNull();
  });
});
