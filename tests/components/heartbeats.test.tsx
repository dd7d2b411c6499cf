import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { heartbeatListSchema } from '#backend/contract/heartbeat.ts';
import { makeHeartbeat, makeSource, send } from '#tests/e2e/support/sources.ts';
import { hold, isUnloadAsked } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findDialog,
  findToast,
  intercept,
  openPage,
} from './support/open-page.tsx';

test('an administrator makes a heartbeat, sees its address once, and walks its beats', async () => {
  const app = await appServer();
  const name = `Backup ${crypto.randomUUID()}`;
  // It is called once, and would be missing at an hour of the day: that alert would come in the middle of another test.
  onTestFinished(async () => {
    const answer = await app.admin.request('GET', `/api/heartbeats?q=${encodeURIComponent(name)}`);
    for (const { id } of heartbeatListSchema.parse(await answer.json()).heartbeats)
      await app.admin.request('DELETE', `/api/heartbeats/${id}`);
  });
  const user = await openPage(ADMINISTRATOR, '/heartbeats/new');
  const create = await screen.findByRole('button', { name: 'Create heartbeat' });
  expect(create).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), name);
  await user.click(screen.getByLabelText('By a cron expression'));
  const expression = screen.getByLabelText('Cron expression');
  await user.clear(expression);
  await user.type(expression, '0 25 * * *');
  expect(await screen.findByText('Invalid value for hour: 25.')).toBeVisible();
  await user.clear(expression);
  await user.type(expression, '0 21 * * *');
  expect(await screen.findByText('Next times')).toBeVisible();
  await user.click(create);
  const once = 'This address is shown once. Whoever has it can call it.';
  expect(await screen.findByText(once)).toBeVisible();
  const address = screen.getByText(/^https?:\/\/[^ ]+\/ping\/[\da-f-]{36}$/).textContent;
  expect(address).toContain(window.location.origin);
  const { pathname } = new URL(address);
  await fetch(new URL(`${pathname}/3`, app.url), { method: 'POST', body: 'connecting\nno route to db-7' });

  await openPage(ADMINISTRATOR, '/heartbeats');
  const row = (await screen.findByRole('link', { name })).closest('tr') ?? document.body;
  expect(await within(row).findByText(/^Failed/)).toBeVisible();
  expect(within(row).getByText('Daily at 9:00 PM')).toBeVisible();
  expect(within(row).getByRole('link', { name: 'Alert open, High' })).toBeVisible();
  const strip = within(row).getByRole('slider', { name: `${name}: 0 of 1 in time, 1 failed` });
  expect(strip).toHaveAttribute('aria-valuetext', expect.stringMatching(/Failed · exit code 3 · no route to db-7$/));
});

test('a member reads heartbeats and changes none; the arrows walk the strip, and each beat is read', async () => {
  const app = await appServer();
  const { id, path } = await makeHeartbeat(app, `Import ${crypto.randomUUID()}`);
  for (const body of ['11 rows', '12 rows']) await fetch(new URL(`${path}/0`, app.url), { method: 'POST', body });
  const member = await app.addMember('Ines Costa');
  await openPage(member, `/heartbeats/${id}`);
  expect(await screen.findByText('12 rows')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(screen.queryByLabelText('Name')).toBeNull();
  const strip = screen.getByRole('slider', { name: /3 of 3 in time/ });
  fireEvent.change(strip, { target: { value: '1' } });
  expect(strip).toHaveAttribute('aria-valuetext', expect.stringMatching(/In time$/));
  expect(await screen.findByText('Nothing was sent along with this beat.')).toBeVisible();
  expect(screen.getAllByText(/\/ping\/•+/).length).toBeGreaterThan(0);

  // A press walks to the bar below the pointer, whatever the slider makes of it.
  const clientX = (strip.parentElement ?? strip).getBoundingClientRect().right - 4;
  const tip = (text: RegExp) => waitFor(() => expect(strip.nextElementSibling).toHaveTextContent(text));
  fireEvent.pointerDown(strip, { buttons: 1, clientX });
  await tip(/11 rows$/);
  fireEvent.change(strip, { target: { value: '3' } });
  expect(await screen.findByText('11 rows')).toBeVisible();
  // Keys walk from there, wherever the pointer rests.
  fireEvent.pointerUp(strip, { buttons: 0, clientX });
  fireEvent.keyDown(strip, { key: 'ArrowRight' });
  fireEvent.change(strip, { target: { value: '3' } });
  expect(await screen.findByText('12 rows')).toBeVisible();
  fireEvent.pointerMove(strip, { buttons: 0, clientX });
  await tip(/11 rows$/);
  fireEvent.change(strip, { target: { value: '1' } });
  expect(await screen.findByText('Nothing was sent along with this beat.')).toBeVisible();
});

test('a heartbeat is offered the sources whose type is Opsgenie, and none that was merely recognised as it', async () => {
  const app = await appServer();
  const recognised = await makeSource(app, `Recognised ${crypto.randomUUID()}`);
  const named = await makeSource(app, `Named ${crypto.randomUUID()}`, 'opsgenie');
  onTestFinished(async () => {
    for (const { id } of [recognised, named]) await app.admin.request('DELETE', `/api/sources/${id}`);
  });
  const alert = { alertId: crypto.randomUUID(), message: 'Disk full', tinyId: '7' };
  await send(app, recognised.key, { action: 'Create', alert, integrationId: 'a1', integrationName: 'Webhook' });
  const names = async () => (await app.admin.request('GET', '/api/source-names')).json();
  await waitFor(async () =>
    expect(await names()).toContainEqual(expect.objectContaining({ id: recognised.id, sender: 'opsgenie' })),
  );
  await openPage(ADMINISTRATOR, '/heartbeats/new');
  const offered = within(await screen.findByLabelText('Opsgenie source'));
  expect(await offered.findByRole('option', { name: /^Named / })).toBeInTheDocument();
  expect(offered.queryByRole('option', { name: /^Recognised / })).toBeNull();
});

test('N makes a heartbeat, and Ctrl+Enter saves it and what is changed of it', async () => {
  const app = await appServer();
  const name = `Import ${crypto.randomUUID()}`;
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  expect(await screen.findByRole('button', { name: 'New heartbeat' })).toHaveAttribute('aria-keyshortcuts', 'N');
  await user.keyboard('n');
  await user.type(await screen.findByLabelText('Name'), name);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByRole('heading', { level: 1, name });
  await user.type(await screen.findByLabelText('Customer'), 'Nordwind');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await findToast('Heartbeat saved');
  const list = await (await app.admin.request('GET', `/api/heartbeats?q=${encodeURIComponent(name)}`)).json();
  expect(list).toMatchObject({ heartbeats: [{ name, customer: 'Nordwind' }] });
});

test('a heartbeat that a colleague deletes is not found; one that is deleted here is left without saying so', async () => {
  const app = await appServer();
  const remove = (id: string) => app.admin.request('DELETE', `/api/heartbeats/${id}`);
  const { id } = await makeHeartbeat(app, `Nightly ${crypto.randomUUID()}`);
  await openPage(ADMINISTRATOR, `/heartbeats/${id}`);
  await screen.findByLabelText('Name');
  await findConnected();
  expect((await remove(id)).ok).toBe(true);
  expect(await screen.findByText('Heartbeat not found')).toBeVisible();
  expect(screen.queryByLabelText('Name')).toBeNull();

  const name = `Weekly ${crypto.randomUUID()}`;
  const other = await makeHeartbeat(app, name);
  const gone = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  intercept('GET', `/api/heartbeats/${other.id}`, async (_call, go) => {
    const read = await go();
    if (read.status === 404) gone.resolve();
    return read;
  });
  intercept('DELETE', `/api/heartbeats/${other.id}`, async (_call, go) => {
    const deleted = await go();
    await answer.promise;
    return deleted;
  });
  const user = await openPage(ADMINISTRATOR, `/heartbeats/${other.id}`);
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  await findConnected();
  await user.click((await findDialog()).getByRole('button', { name: 'Delete' }));
  await gone.promise;
  // What the page would do with the answer comes before its next answer.
  await app.inbox();
  expect(screen.getByRole('heading', { level: 1, name, hidden: true })).toBeInTheDocument();
  answer.resolve();
  expect(await screen.findByRole('heading', { level: 1, name: /^Heartbeats/ })).toBeVisible();
});

test('what a colleague saves of a heartbeat meanwhile is taken over, and asked about where both changed the same', async () => {
  const app = await appServer();
  const { id } = await makeHeartbeat(app, `Nightly ${crypto.randomUUID()}`);
  const theySave = (change: object) => app.admin.request('PATCH', `/api/heartbeats/${id}`, change);
  const user = await openPage(ADMINISTRATOR, `/heartbeats/${id}`);
  const customer = await screen.findByLabelText('Customer');
  await user.type(customer, 'Nordwind');
  const renamed = `Backup ${crypto.randomUUID()}`;
  expect((await theySave({ name: renamed })).status).toBe(200);
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue(renamed));
  expect(customer).toHaveValue('Nordwind');

  expect((await theySave({ customer: 'Atlas' })).status).toBe(200);
  const notice = within(await screen.findByRole('alert'));
  await user.click(notice.getByRole('button', { name: 'Show theirs' }));
  expect(customer).toHaveValue('Atlas');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
});

const ADDRESS = /^https?:\/\/[^ ]+\/ping\/[\da-f-]{36}$/;

test('the address of a new heartbeat keeps its page until it was copied, or is given up', async () => {
  const name = `Backup ${crypto.randomUUID()}`;
  const user = await openPage(ADMINISTRATOR, '/heartbeats/new');
  await user.type(await screen.findByLabelText('Name'), name);
  const release = hold('POST', '/api/heartbeats');
  await user.click(screen.getByRole('button', { name: 'Create heartbeat' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create heartbeat' })).toBeDisabled());
  expect(isUnloadAsked()).toBe(true);
  release();
  expect(await screen.findByText(ADDRESS)).toBeVisible();
  expect(isUnloadAsked()).toBe(true);

  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without copying the credential?' }));
  expect(question.getByText(ADDRESS)).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const address = screen.getByText(ADDRESS).textContent;
  await user.click(screen.getByRole('button', { name: 'Copy address' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(false));
  expect(await navigator.clipboard.readText()).toBe(address);
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await waitFor(() => expect(location.pathname).toBe('/my-alerts'));
});

test('a new address is not shown to who signs in next in the same tab', async () => {
  const app = await appServer();
  const name = `Shared ${crypto.randomUUID()}`;
  const { id } = await makeHeartbeat(app, name);
  const next = await app.addMember('Ines Costa');
  const user = await openPage(ADMINISTRATOR, `/heartbeats/${id}`);
  await user.click(await screen.findByRole('button', { name: 'New address…' }));
  await user.click((await findDialog()).getByRole('button', { name: 'Make a new address' }));
  const address = (await screen.findByText(ADDRESS)).textContent;
  await user.click(screen.getByRole('button', { name: 'Copy address' }));
  await user.click(await screen.findByRole('button', { name: /Administrator/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await user.type(await screen.findByLabelText('Email'), next.email);
  await user.type(screen.getByLabelText('Password'), `${next.password}{Enter}`);
  await screen.findByRole('link', { name: /^My Alerts/ });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /command/i }), 'heartbeats{Enter}');
  await user.click(await screen.findByRole('link', { name }));
  await screen.findByText(new RegExp(`^The address ends with …${address.slice(-4)}`));
  expect(screen.queryByText(ADDRESS)).toBeNull();
});

test('a heartbeat that a colleague deletes while the list asks whether to delete it is deleted here, too', async () => {
  const app = await appServer();
  const name = `Backup ${crypto.randomUUID()}`;
  const { id } = await makeHeartbeat(app, name);
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: /^Delete/ }));
  const dialog = await findDialog();
  expect((await app.admin.request('DELETE', `/api/heartbeats/${id}`)).ok).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
