import { screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { NewRule } from '#backend/contract/rule.ts';
import { deleteRules, row, ruleNames, storedRules } from './support/incoming-rules.ts';
import { hold } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findDialog,
  findToast,
  intercept,
  openPage,
} from './support/open-page.tsx';

const areOn = async () => (await storedRules()).map(({ isOn }) => isOn);

beforeEach(deleteRules);
afterAll(deleteRules);

test('an administrator makes a rule with a dry run beside it, which asks before critical alerts are silenced', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  await app.post({ customer, title: 'Disk almost full', severity: 'critical' });
  const user = await openPage(ADMINISTRATOR, '/admin/rules/new');
  const save = await screen.findByRole('button', { name: 'Save rule' });
  expect(save).toBeDisabled();
  await user.click(screen.getByLabelText('Name'));
  await user.paste('Rule quiet');
  await user.click(screen.getByLabelText('Which alerts'));
  await user.paste(`customer:${customer}`);
  await user.selectOptions(screen.getByLabelText('Severity'), 'low');
  await user.selectOptions(screen.getByLabelText('Notify'), 'never');
  const tried = within(screen.getByRole('region', { name: 'What would change' }));
  expect(await tried.findByRole('link', { name: 'Disk almost full' }, { timeout: 20_000 })).toBeVisible();
  expect(tried.getByText('critical silenced').nextSibling).toHaveTextContent('1');
  expect(tried.getByText('not notified')).toBeVisible();
  await user.click(save);
  await user.click((await findDialog()).getByRole('button', { name: 'Save anyway' }));
  await screen.findByRole('heading', { level: 1, name: 'Rule quiet' });
  expect(await storedRules()).toMatchObject([{ name: 'Rule quiet', actions: { severity: 'low', notify: 'never' } }]);
});

test('a rule that is saved by two quick clicks after asking is saved once', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  const rule = { name: 'Rule twice', search: `customer:${customer}`, actions: { notify: 'never' }, isOn: false };
  await app.post({ customer, title: 'Disk is full', severity: 'critical' });
  await app.admin.request('POST', '/api/rules', rule);
  const [stored] = await storedRules();
  const changes: string[] = [];
  intercept('PATCH', /^\/api\/rules\//, ({ body }, go) => {
    changes.push(body);
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${stored?.id}`);
  await user.type(await screen.findByLabelText('Name'), ' at night');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await user.dblClick((await findDialog()).getByRole('button', { name: 'Save anyway' }));
  await findToast('Rule saved');
  await screen.findByRole('heading', { level: 1, name: 'Rule twice at night' });
  expect(changes).toHaveLength(1);
});

test('a rule that would silence critical alerts is turned on in the list and on its page only after asking', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  await app.admin.request('POST', '/api/rules', {
    name: 'Rule loud',
    search: `customer:${customer}`,
    actions: { snoozeMinutes: 60 },
    isOn: false,
  });
  await app.post({ customer, title: 'Disk is gone', severity: 'critical' });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  await user.click((await row('Rule loud')).getByLabelText('Rule loud is on'));
  const dialog = await findDialog();
  expect(dialog.getByText(/1 critical alert/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await areOn()).toEqual([false]);
  await user.click((await row('Rule loud')).getByRole('link', { name: 'Rule loud' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Off' }));
  await user.click((await findDialog()).getByRole('button', { name: 'Turn on anyway' }));
  await waitFor(async () => expect(await areOn()).toEqual([true]));
  // Off again, nothing is asked.
  await user.click(await screen.findByRole('checkbox', { name: 'On' }));
  await waitFor(async () => expect(await areOn()).toEqual([false]));
});

test('a rule that silences through a later one is turned on only after asking', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  const lab = crypto.randomUUID();
  const make = (rule: object) => app.admin.request('POST', '/api/rules', rule);
  await make({ name: 'Rule first', search: `customer:${customer}`, actions: { customer: lab }, isOn: false });
  await make({ name: 'Rule second', search: `customer:${lab}`, actions: { suppress: true } });
  await app.post({ customer, title: 'Disk is gone', severity: 'critical' });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  await user.click((await row('Rule first')).getByLabelText('Rule first is on'));
  const dialog = await findDialog();
  expect(dialog.getByText(/1 critical alert/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Turn on anyway' }));
  await waitFor(async () => expect(await areOn()).toEqual([true, true]));
});

/** A rule that is off, and dry runs that are answered when they are let. */
async function withHeldDryRun() {
  const app = await appServer();
  const body = {
    name: 'Rule held',
    search: `customer:${crypto.randomUUID()}`,
    actions: { severity: 'low' },
    isOn: false,
  };
  await app.admin.request('POST', '/api/rules', body);
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  intercept('POST', '/api/rules/dry-run', async (_call, go) => {
    await held.promise;
    const answer = await go();
    answered.resolve();
    return answer;
  });
  return { app, answer: held.resolve, answered: answered.promise };
}

test('a rule is busy while it is tried, and is not turned on where somebody has changed it since', async () => {
  const { app, answer } = await withHeldDryRun();
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  const turn = (await row('Rule held')).getByLabelText('Rule held is on');
  await user.click(turn);
  expect(turn).toHaveAttribute('aria-busy', 'true');
  const [rule] = await storedRules();
  await app.admin.request('PATCH', `/api/rules/${rule?.id}`, { actions: { notify: 'never' } });
  answer();
  await findToast(/^Nothing was changed/);
  expect(await areOn()).toEqual([false]);
  await waitFor(() => expect(turn).toHaveAttribute('aria-busy', 'false'));
});

test('a rule that is tried on a page that was left is not turned on', async () => {
  const { app, answer, answered } = await withHeldDryRun();
  const changes: string[] = [];
  intercept('PATCH', /^\/api\/rules\//, ({ url }, go) => {
    changes.push(url.pathname);
    return go();
  });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  await user.click((await row('Rule held')).getByLabelText('Rule held is on'));
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^New Alerts/ }));
  await screen.findByRole('heading', { level: 1, name: /^New Alerts/ });
  answer();
  await answered;
  // What the page would do with the answer comes before its next answer.
  await app.inbox();
  expect(changes).toEqual([]);
  expect(await areOn()).toEqual([false]);
});

test('a dry run says that it runs, and can be canceled once it takes long, and made again', async () => {
  const { answer } = await withHeldDryRun();
  const [rule] = await storedRules();
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${rule?.id}`);
  const tried = within(await screen.findByRole('region', { name: 'What would change' }));
  const running = 'Trying the rule on the newest alerts…';
  expect(tried.getByText(running)).toBeVisible();
  expect(tried.queryByText(/^Choose what the rule does/)).toBeNull();
  await user.click(await tried.findByRole('button', { name: 'Cancel' }));
  expect(await tried.findByText('The dry run was canceled.')).toBeVisible();
  expect(tried.queryByText(running)).toBeNull();
  await user.click(tried.getByRole('button', { name: 'Run again' }));
  expect(await tried.findByText(running)).toBeVisible();
  answer();
  expect(await tried.findByText('Nothing would change')).toBeVisible();
  expect(tried.queryByRole('button')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Severity'), '');
  expect(await tried.findByText(/^Choose what the rule does/)).toBeVisible();
});

test('a rule that is being saved waits no longer for a dry run that is canceled', async () => {
  await withHeldDryRun();
  const [rule] = await storedRules();
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${rule?.id}`);
  const save = await screen.findByRole('button', { name: 'Save rule' });
  await user.selectOptions(screen.getByLabelText('Severity'), 'info');
  await user.click(save);
  expect(save).toBeDisabled();
  const tried = within(screen.getByRole('region', { name: 'What would change' }));
  await user.click(await tried.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(save).toBeEnabled());
  expect(await storedRules()).toMatchObject([{ actions: { severity: 'low' } }]);
});

test('the rules are in their order, moved by keyboard, switched, and deleted, which can be undone', async () => {
  const app = await appServer();
  const customer = crypto.randomUUID();
  const make = (name: string, body: Partial<NewRule>) =>
    app.admin.request('POST', '/api/rules', { name, search: `customer:${customer}`, ...body });
  await make('Rule one', { actions: { severity: 'low', stop: true } });
  await make('Rule two', { actions: { notify: 'never' } });
  await app.post({ customer, title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  const one = await row('Rule one');
  expect(one.getByText('Severity low, then stop')).toBeVisible();
  expect(one.getByText('1 hit in 7 days')).toBeInTheDocument();
  (await row('Rule two')).getByRole('button', { name: 'Move Rule two, rule 2 of 2' }).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await findToast('Rule moved');
  await waitFor(() => expect(ruleNames()).toEqual(['Rule two', 'Rule one']));
  await user.click((await row('Rule two')).getByLabelText('Rule two is on'));
  await findToast('Rule turned off');
  await user.click((await row('Rule two')).getByRole('button', { name: 'Actions for Rule two' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await findToast('Rule deleted');
  expect(ruleNames()).toEqual(['Rule one']);
  await user.keyboard('z');
  await waitFor(() => expect(ruleNames()).toEqual(['Rule two', 'Rule one']));
  expect((await storedRules()).map(({ name, isOn }) => [name, isOn])).toEqual([
    ['Rule two', false],
    ['Rule one', true],
  ]);
});

test.each([
  ['on its page', (id: string) => `/admin/rules/${id}`],
  ['where a copy is made', (id: string) => `/admin/rules/new?copy=${id}`],
])('a rule names members who were disabled, also while members are not read, %s', async (_where, pathOf) => {
  const { addMember, admin } = await appServer();
  const mara = await addMember('Mara Lindqvist');
  const users = (await (await admin.request('GET', '/api/auth/users')).json()) as { id: string; email: string }[];
  const id = users.find(({ email }) => email === mara.email)?.id ?? '';
  const rule = {
    name: 'Rule to Mara',
    search: `customer:${crypto.randomUUID()}`,
    actions: { assigneeId: id },
    ownerId: id,
  };
  await admin.request('POST', '/api/rules', rule);
  await admin.request('PATCH', `/api/auth/users/${id}/toggle-active`, { active: false });
  const [stored] = await storedRules();
  const answer = hold('GET', '/api/people');
  await openPage(ADMINISTRATOR, pathOf(stored?.id ?? ''));
  const assignee = await screen.findByLabelText('Assign to');
  const owner = screen.getByLabelText('Owner');
  expect(assignee).toHaveDisplayValue(mara.displayName);
  expect(owner).toHaveDisplayValue(mara.displayName);
  answer();
  await findConnected();
  expect(assignee).toHaveDisplayValue(mara.displayName);
  expect(owner).toHaveDisplayValue(mara.displayName);
});

test('a new rule is saved as it is checked: nothing is written that would be lost', async () => {
  const answer = hold('POST', '/api/rules/dry-run');
  const user = await openPage(ADMINISTRATOR, '/admin/rules/new');
  const name = await screen.findByLabelText('Name');
  await user.type(name, 'Rule new');
  await user.selectOptions(screen.getByLabelText('Severity'), 'low');
  const save = screen.getByRole('button', { name: 'Save rule' });
  await user.click(save);
  expect(save).toBeDisabled();
  await user.type(name, ' at night');
  await user.selectOptions(screen.getByLabelText('Severity'), 'info');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(name).toHaveValue('Rule new');
  expect(screen.getByLabelText('Severity')).toHaveDisplayValue('Low');
  answer();
  await screen.findByRole('heading', { level: 1, name: 'Rule new' });
  expect(await storedRules()).toMatchObject([{ name: 'Rule new', actions: { severity: 'low' } }]);
});
