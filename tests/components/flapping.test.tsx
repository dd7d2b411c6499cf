import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { sourceListSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { ADMINISTRATOR, appServer, findCard, findToast, findings, openPage } from './support/open-page.tsx';

/** Opens and closes a problem so many times, as PagerDuty's senders do. */
async function flap(app: Awaited<ReturnType<typeof appServer>>, times: number, dedupKey: string): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    for (const action of ['trigger', 'resolve']) {
      await app.post({
        routing_key: 'any',
        event_action: action,
        dedup_key: dedupKey,
        payload: { summary: 'Disk of db-7 flaps', source: 'db-7', severity: 'warning' },
      });
    }
  }
}

test('a problem that opens and closes again and again is one card that says so, and so does the open alert', async () => {
  const app = await appServer();
  await app.clear();
  await flap(app, 5, 'component');
  expect(await app.inbox()).toEqual([]);
  await flap(app, 9, 'component');
  expect(await app.inbox()).toHaveLength(1);
  const user = await openPage(ADMINISTRATOR, '/');
  const card = await findCard('Disk of db-7 flaps');
  await waitFor(() => expect(card).toHaveTextContent(/Flapping14 times in 30 min, about every \d+ (?:s|min)/));
  expect(card.closest('article')).toHaveAccessibleName(/^Flapping, warning, firing, new: Disk of db-7 flaps/);
  expect(card.querySelector('svg[width="140"] path:last-child')?.getAttribute('d')).toMatch(/^M0 11H[\d.]+V1/);
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(await findings()).toEqual([]);

  await user.click(within(card).getByRole('link', { name: 'Disk of db-7 flaps' }));
  const heading = await screen.findByRole('heading', { level: 2, name: 'Disk of db-7 flaps' });
  await waitFor(() => expect(heading.closest('header')).toHaveTextContent(/Flapping14 times in 30 min/));
  expect(await screen.findByText('Began to Flap')).toBeVisible();
});

test('an administrator decides how often is too often, with the way back', async () => {
  const app = await appServer();
  onTestFinished(async () => {
    await app.admin.request('PATCH', '/api/flapping-rule', { isOn: true, times: 5, withinMinutes: 30 });
  });
  const user = await openPage(ADMINISTRATOR, '/admin');
  const rule = async () =>
    flappingRuleSchema.parse(await (await app.admin.request('GET', '/api/flapping-rule')).json());
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Number of times' }), '10 times');
  await findToast('Flapping: more than 10 times in 30 min');
  expect(await rule()).toMatchObject({ isOn: true, times: 10 });
  // What another administrator has changed meanwhile stays.
  await app.admin.request('PATCH', '/api/flapping-rule', { withinMinutes: 60 });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await rule()).toMatchObject({ times: 5, withinMinutes: 60 }));

  await user.click(screen.getByRole('checkbox', { name: 'Combine flapping problems into one alert' }));
  await findToast('Flapping detection turned off');
  expect(await rule()).toMatchObject({ isOn: false });
  await user.click(screen.getByRole('checkbox', { name: 'Combine flapping problems into one alert' }));
  await waitFor(async () => expect(await rule()).toMatchObject({ isOn: true }));
});

test('a source follows the rule, has a limit of its own, or says never, and the rule says how many do', async () => {
  const app = await appServer();
  const made = await app.admin.request('POST', '/api/sources', { name: `Flaps ${crypto.randomUUID()}` });
  const { id } = sourceWithSecretsSchema.parse(await made.json()).source;
  onTestFinished(async () => {
    await app.admin.request('DELETE', `/api/sources/${id}`);
    await app.admin.request('PATCH', '/api/flapping-rule', { times: 5, withinMinutes: 30 });
  });
  const set = async () => {
    const sources = sourceListSchema.parse(await (await app.admin.request('GET', '/api/sources')).json());
    return sources.find((source) => source.id === id)?.settings.flapping;
  };
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  const choice = await screen.findByRole('combobox', { name: 'Flapping problems' });
  expect(choice).toHaveValue('installation');
  expect(screen.queryByRole('group', { name: 'Flapping limit' })).toBeNull();
  // Its own limit begins with that of the Admin Panel, as it is by now.
  await app.admin.request('PATCH', '/api/flapping-rule', { times: 8, withinMinutes: 60 });
  await user.selectOptions(choice, 'own');
  await findToast('Flapping problems saved');
  const limit = within(await screen.findByRole('group', { name: 'Flapping limit' }));
  await waitFor(async () => expect(await set()).toEqual({ times: 8, withinMinutes: 60 }));
  await user.selectOptions(limit.getByRole('combobox', { name: 'Number of times' }), '3');
  await waitFor(async () => expect(await set()).toEqual({ times: 3, withinMinutes: 60 }));
  expect(await findings()).toEqual([]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Flapping problems' }), 'never');
  await waitFor(async () => expect(await set()).toBe('never'));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Flapping limit' })).toBeNull());
  // Back from "Never", it has the numbers that it had.
  await user.selectOptions(screen.getByRole('combobox', { name: 'Flapping problems' }), 'own');
  await waitFor(async () => expect(await set()).toEqual({ times: 3, withinMinutes: 60 }));

  await openPage(ADMINISTRATOR, '/admin');
  expect(await screen.findByRole('link', { name: '1 source has its own setting.' })).toHaveAttribute(
    'href',
    '/admin/sources',
  );
});
