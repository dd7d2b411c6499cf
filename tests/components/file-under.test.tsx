import { screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ruleListSchema } from '#backend/contract/rule.ts';
import { viewListAnswerSchema } from '#backend/contract/view.ts';
import { ADMINISTRATOR, appServer, findCard, findToast, findings, openPage } from './support/open-page.tsx';

const storedRules = async () => {
  const { admin } = await appServer();
  return ruleListSchema.parse(await (await admin.request('GET', '/api/rules')).json());
};
const sharedViews = async () => {
  const { admin } = await appServer();
  const views = viewListAnswerSchema.parse(await (await admin.request('GET', '/api/views')).json());
  return views.filter(({ isShared }) => isShared);
};
const share = async (name: string, search: string) => {
  const { admin } = await appServer();
  await admin.request('POST', '/api/views', { name, list: 'inbox', isShared: true, search });
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
  const user = await openPage(ADMINISTRATOR, '/admin/rules/new');
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
  await share('Data stores', 'label:Databases severity:critical');
  await share('Several', 'label:a label:b');
  await share('No label', 'severity:critical');
  await app.post({ customer, title: 'Replica lags' });
  const { user, under, save } = await openRule('Rule files', `customer:${customer}`);
  await within(under).findByRole('option', { name: 'Data stores' });
  expect(
    within(under)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['No view', 'Data stores', 'New view…', 'Another label…']);
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
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Rule again' });
  expect(await storedRules()).toMatchObject([{ actions: { label: 'Taken' } }]);
  expect((await sharedViews()).map(({ name }) => name)).toEqual(['Taken', 'By a colleague']);
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
