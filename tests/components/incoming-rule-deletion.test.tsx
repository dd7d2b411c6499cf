import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ruleListSchema } from '#backend/contract/rule.ts';
import { ADMINISTRATOR, appServer, findConnected, findToast, intercept, openPage } from './support/open-page.tsx';

const storedRules = async () => {
  const { admin } = await appServer();
  return ruleListSchema.parse(await (await admin.request('GET', '/api/rules')).json());
};
/** Rules of other tests on this server would be about alerts of these. */
const deleteRules = async () => {
  const { admin } = await appServer();
  for (const { id } of await storedRules()) await admin.request('DELETE', `/api/rules/${id}`);
};

beforeEach(async () => {
  await deleteRules();
  const { admin } = await appServer();
  for (const name of ['Rule one', 'Rule two'])
    await admin.request('POST', '/api/rules', { name, search: 'customer:nobody', actions: { severity: 'low' } });
});
afterAll(deleteRules);

/** The names of the rules in the list, in their order. */
const names = () => screen.queryAllByRole('link', { name: /^Rule \w+$/ }).map(({ textContent }) => textContent);

/** Deletes a rule from the list. */
async function deleteFromList(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await findToast('Rule deleted');
}

test('a rule that was deleted is on no page while that can be undone', async () => {
  const [one] = await storedRules();
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${one?.id}`);
  await user.click(await screen.findByRole('link', { name: /^Back to/ }));
  await deleteFromList(user, 'Rule one');
  expect(names()).toEqual(['Rule two']);
  history.back();
  expect(await screen.findByText('Rule not found')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'All rules' }));
  await waitFor(() => expect(names()).toEqual(['Rule two']));
  await deleteFromList(user, 'Rule two');
  expect(await screen.findByText('No rules yet')).toBeVisible();
  expect(await storedRules()).toHaveLength(2);

  await user.keyboard('z');
  await waitFor(() => expect(names()).toEqual(['Rule one', 'Rule two']));
});

test('a rule that a colleague deletes first is gone, without a failure', async () => {
  const answers: number[] = [];
  intercept('DELETE', /^\/api\/rules\//, async (_call, go) => {
    const answer = await go();
    answers.push(answer.status);
    return answer;
  });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  await deleteFromList(user, 'Rule one');
  await deleteRules();
  fireEvent.mouseLeave(await findToast('Rule deleted'));
  await waitFor(() => expect(answers).toEqual([404]));
  await findConnected();
  const toasts = within(screen.getByRole('region', { name: 'Notifications (F8)' }));
  expect(toasts.queryByText('The rule was not deleted')).toBeNull();
  expect(names()).toEqual([]);
});

test('the name of a rule that was just deleted is free for a new one and for another', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  await deleteFromList(user, 'Rule one');
  await user.click(await screen.findByRole('link', { name: 'Rule two' }));
  const name = await screen.findByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'Rule one');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByRole('heading', { level: 1, name: 'Rule one' });
  expect((await storedRules()).map((rule) => rule.name)).toEqual(['Rule one']);

  await user.click(await screen.findByRole('link', { name: /^Back to/ }));
  await deleteFromList(user, 'Rule one');
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  await user.type(await screen.findByLabelText('Name'), 'Rule one');
  await user.click(screen.getByLabelText('Which alerts'));
  await user.paste('customer:nobody');
  await user.selectOptions(screen.getByLabelText('Severity'), 'low');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByRole('heading', { level: 1, name: 'Rule one' });
  expect((await storedRules()).map((rule) => rule.name)).toEqual(['Rule one']);
});
