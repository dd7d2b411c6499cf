import { screen, within } from '@testing-library/dom';
import { type Rule, ruleListSchema } from '#backend/contract/rule.ts';
import { appServer } from './open-page.tsx';

/** The rules that are stored, in their order. */
export const storedRules = async (): Promise<Rule[]> => {
  const { admin } = await appServer();
  return ruleListSchema.parse(await (await admin.request('GET', '/api/rules')).json());
};
/** The row of a rule. */
export const row = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('li') ?? document.body);
/** The names of the rules in the list, in their order. */
export const ruleNames = () =>
  screen.getAllByRole('link', { name: /^Rule \w+$/ }).map(({ textContent }) => textContent);

/** Rules of other tests on this server would be about alerts of these. */
export const deleteRules = async () => {
  const { admin } = await appServer();
  for (const { id } of await storedRules()) await admin.request('DELETE', `/api/rules/${id}`);
};
