import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ruleListSchema, ruleSchema } from '#backend/contract/rule.ts';
import { viewListAnswerSchema } from '#backend/contract/view.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findToast,
  findings,
  intercept,
  openPage,
  refusal,
} from './support/open-page.tsx';

const storedRules = async () => {
  const { admin } = await appServer();
  return ruleListSchema.parse(await (await admin.request('GET', '/api/rules')).json());
};
const sharedViews = async () => {
  const { admin } = await appServer();
  const views = viewListAnswerSchema.parse(await (await admin.request('GET', '/api/views')).json());
  return views.filter(({ isShared }) => isShared);
};
const share = async (name: string, search: string, list = 'inbox') => {
  const { admin } = await appServer();
  await admin.request('POST', '/api/views', { name, list, isShared: true, search });
};

/** Rules and views of other tests on this server would be among these. */
const deleteAll = async () => {
  const { admin } = await appServer();
  for (const { id } of await storedRules()) await admin.request('DELETE', `/api/rules/${id}`);
  for (const { id } of await sharedViews()) await admin.request('DELETE', `/api/views/${id}`);
};
beforeEach(deleteAll);
afterAll(deleteAll);

/** The page of a new rule, with its name and search written. */
async function openRule(name: string, search: string) {
  return writeRule(await openPage(ADMINISTRATOR, '/admin/rules/new'), name, search);
}

async function writeRule(user: UserEvent, name: string, search: string) {
  await user.click(await screen.findByLabelText('Name'));
  await user.paste(name);
  await user.click(screen.getByLabelText('Which alerts'));
  await user.paste(search);
  const under = screen.getByLabelText('File under a view');
  const save = screen.getByRole('button', { name: 'Save rule' });
  return { user, under, save };
}

test('a rule files alerts under a shared view, says so in the list, and shows what would change', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  await share('Wherever it is', 'label:databases', 'all');
  await share('Critical ones', 'label:Databases severity:critical');
  await share('Data stores', 'label:Databases');
  await share('Everything of networks', 'label:Networks', 'all');
  await share('What is mine', 'label:own', 'mine');
  await share('Several', 'label:a label:b');
  await share('No label', 'severity:critical');
  await app.post({ customer, title: 'Replica lags' });
  const { user, under, save } = await openRule('Rule files', `customer:${customer}`);
  await within(under).findByRole('option', { name: 'Data stores' });
  expect(
    within(under)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['No view', 'Data stores', 'Everything of networks', 'New view…', 'Another label…']);
  await user.selectOptions(under, 'Data stores');
  const tried = within(screen.getByRole('region', { name: 'What would change' }));
  expect(await tried.findByRole('link', { name: 'Replica lags' }, { timeout: 20_000 })).toBeVisible();
  expect(tried.getByText('no label').nextElementSibling?.nextElementSibling).toHaveTextContent('Databases');
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule files' });
  expect(await storedRules()).toMatchObject([{ actions: { label: 'Databases' } }]);
  await openPage(ADMINISTRATOR, '/admin/rules');
  expect(await screen.findByText('Files under Data stores')).toBeVisible();
});

test('a new view is made when the rule is saved, and not before; making it can be undone', async () => {
  const { user, under, save } = await openRule('Rule new', 'type:new-view');
  await user.selectOptions(under, 'New view…');
  expect(save).toBeDisabled();
  await user.click(screen.getByLabelText('Name of the new view'));
  await user.paste('Night shift');
  expect(await sharedViews()).toEqual([]);
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule new' });
  expect(await sharedViews()).toMatchObject([{ name: 'Night shift', list: 'inbox', search: 'label:"Night shift"' }]);
  expect(await storedRules()).toMatchObject([{ actions: { label: 'Night shift' } }]);
  await findToast('View made');
  expect(await screen.findByLabelText('File under a view')).toHaveDisplayValue('Night shift');
  await user.keyboard('z');
  await waitFor(async () => expect(await sharedViews()).toEqual([]));
  await waitFor(() => expect(screen.getByLabelText('Label')).toHaveValue('Night shift'));
  expect(await storedRules()).toMatchObject([{ actions: { label: 'Night shift' } }]);
});

test('a name that another view has keeps the rule from being saved; one that has the label already is used', async () => {
  await share('Taken', 'severity:critical');
  const { user, under, save } = await openRule('Rule again', 'type:taken');
  await user.selectOptions(under, 'New view…');
  await user.click(screen.getByLabelText('Name of the new view'));
  await user.paste('Taken');
  await user.click(save);
  expect(await screen.findByText('There is a view named "Taken" already.')).toBeVisible();
  expect(await storedRules()).toEqual([]);
  // A colleague makes a view of that label meanwhile.
  await share('By a colleague', 'label:taken');
  expect(await screen.findByText(/^There is a view of this label by now: "By a colleague"/)).toBeVisible();
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule again' });
  expect(await storedRules()).toMatchObject([{ actions: { label: 'Taken' } }]);
  expect((await sharedViews()).map(({ name }) => name)).toEqual(['Taken', 'By a colleague']);
});

test('a field stays while a label is written in it, whatever that is, until the changes are discarded', async () => {
  await share('Data stores', 'label:Databases');
  const { user, under, save } = await openRule('Rule written', 'type:written');
  await within(under).findByRole('option', { name: 'Data stores' });
  await user.selectOptions(under, 'Another label…');
  const field = screen.getByLabelText('Label');
  await user.type(field, 'databases');
  expect(field).toBeVisible();
  expect(under).toHaveDisplayValue('Another label…');
  await user.clear(field);
  expect(field).toBeVisible();
  await user.type(field, 'On call');
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule written' });

  const stored = await screen.findByLabelText('Label');
  expect(stored).toHaveValue('On call');
  await user.clear(stored);
  await user.type(stored, 'Databases');
  expect(stored).toHaveValue('Databases');
  await user.selectOptions(screen.getByLabelText('File under a view'), 'New view…');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByLabelText('Label')).toHaveValue('On call');
  await user.selectOptions(screen.getByLabelText('File under a view'), 'No view');
  expect(screen.queryByLabelText('Label')).toBeNull();

  await user.selectOptions(screen.getByLabelText('File under a view'), 'Another label…');
  await user.type(screen.getByLabelText('Label'), 'Mine');
  // A colleague files it under a view meanwhile.
  const [rule] = await storedRules();
  const { admin } = await appServer();
  const changed = { version: rule?.version, actions: { label: 'Databases' } };
  await admin.request('PATCH', `/api/rules/${rule?.id}`, changed);
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await user.click(await screen.findByRole('button', { name: 'Show theirs' }));
  expect(screen.getByLabelText('File under a view')).toHaveDisplayValue('Data stores');
  expect(screen.queryByLabelText('Label')).toBeNull();
});

test('a rule of a view is one also where the views are not read yet, or cannot be', async () => {
  await share('Data stores', 'label:Databases');
  const { admin } = await appServer();
  const rule = { name: 'Rule of a view', search: 'type:unread', actions: { label: 'Databases' } };
  const { id } = ruleSchema.parse(await (await admin.request('POST', '/api/rules', rule)).json());
  const fails = intercept('GET', '/api/views', () => refusal(503, 'Not now.'));
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${id}`);
  expect(await screen.findByText(/^The views could not be read/)).toBeVisible();
  const under = screen.getByLabelText('File under a view');
  expect(under).toHaveDisplayValue('Databases');
  expect(screen.queryByLabelText('Label')).toBeNull();
  expect(screen.getByRole('button', { name: 'Discard' })).toBeDisabled();
  fails();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(under).toHaveDisplayValue('Data stores'));
});

test('a new view is made beside one that is narrower, one of another list, and one that is being deleted', async () => {
  await share('Critical ones', 'label:Databases severity:critical');
  await share('Wherever it is', 'label:Databases', 'all');
  await share('Was deleted', 'label:Databases');
  const deleted = (await sharedViews()).find(({ name }) => name === 'Was deleted');
  const sent = Promise.withResolvers<Response>();
  intercept('DELETE', `/api/views/${deleted?.id}`, () => sent.promise);
  const user = await openPage(ADMINISTRATOR, `/view/${deleted?.id}`);
  await user.click(await screen.findByRole('button', { name: 'Menu of the view Was deleted' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await screen.findByRole('heading', { level: 1, name: 'New Alerts' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /Command or folder/ }), 'Admin Panel');
  await user.click(await screen.findByRole('option', { name: /Admin Panel/ }));
  await user.click(await screen.findByRole('link', { name: /^Rules/ }));
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const { under, save } = await writeRule(user, 'Rule beside', 'type:beside');
  await user.selectOptions(under, 'New view…');
  await user.click(screen.getByLabelText('Name of the new view'));
  await user.paste('Databases');
  expect(screen.getByText(/^Saving the rule also makes this view/)).toBeVisible();
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule beside' });
  expect((await sharedViews()).map(({ name }) => name)).toContain('Databases');
  sent.resolve(new Response(null, { status: 204 }));
});

test('any label can be written, which the card and the open alert show, and which leads to the list of it', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  const { user, under, save } = await openRule('Rule other', `customer:${customer}`);
  await user.selectOptions(under, 'Another label…');
  expect(save).toBeDisabled();
  await user.click(screen.getByLabelText('Label'));
  await user.paste('On call');
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule other' });
  await app.post({ customer, title: 'Replica lags far behind' });
  await app.post({ customer: 'Another', title: 'Something else' });
  await openPage(ADMINISTRATOR, '/');
  const card = await findCard('Replica lags far behind');
  expect(within(card).getByText('On call')).toBeVisible();
  expect(card.closest('article')).toHaveAccessibleName(/On call/);
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Replica lags far behind' }));
  expect(await screen.findAllByText('filed it under On call')).toHaveLength(1);
  await user.click(await screen.findByRole('link', { name: 'Show alerts filed under On call' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Something else' })).toBeNull());
  expect(screen.getByRole('link', { name: 'Replica lags far behind' })).toBeVisible();
});
