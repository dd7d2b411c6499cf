import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { alertSchema } from '#backend/contract/alert.ts';
import { writePart } from '#backend/contract/search.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  intercept,
  liveSockets,
  memberWithQueue,
  openCardMenu,
  openPage,
  refusal,
} from './support/open-page.tsx';

test('a rule is made from an alert, about alerts of its source, customer and type, by administrators alone', async () => {
  const app = await appServer();
  const customer = `Rule ${crypto.randomUUID()}`;
  const id = await app.post({ customer, type: 'disk.full', title: 'Disk is full' });
  const { sourceName = '' } = alertSchema.parse(await (await app.admin.request('GET', `/api/alerts/${id}`)).json());
  expect(sourceName).not.toBe('');
  const sunniva = await app.addMember('Sunniva Berg', 'super_user');
  const other = await openPage(sunniva, '/');
  await findConnected();
  expect((await openCardMenu(other, customer)).filter((text) => text?.includes('rule'))).toEqual([]);
  const user = await openPage(ADMINISTRATOR, '/');
  await findConnected();
  await openCardMenu(user, customer);
  await user.click(screen.getByRole('menuitem', { name: 'Make a rule…' }));
  const field = await screen.findByLabelText('Which alerts');
  expect(location.pathname).toBe('/admin/rules/new');
  expect(field).toHaveValue(`${writePart('source', sourceName)} customer:"${customer}" type:disk.full`);
});

test('a rule from an alert that is gone begins as any other new one, and stays as it is written', async () => {
  const app = await appServer();
  const id = await app.post({ customer: 'Nordwind' });
  await app.admin.request('DELETE', `/api/webhooks/${id}`);
  let reads = 0;
  let answered = 0;
  intercept('GET', `/api/alerts/${id}`, async (_call, go) => {
    reads += 1;
    const answer = await go();
    answered += 1;
    return answer;
  });
  const user = await openPage(ADMINISTRATOR, `/admin/rules/new?alert=${id}`);
  await findConnected();
  const field = await screen.findByLabelText('Which alerts');
  expect(field).toHaveValue('');
  await user.type(field, 'type:disk');
  // Where the server does not say what was missed, the greeting of a new connection has the alert read again.
  let before = Number.POSITIVE_INFINITY;
  intercept('GET', '/api/changes', () => {
    before = reads;
    return refusal(404, 'Not found.');
  });
  liveSockets.at(-1)?.terminate();
  await waitFor(() => expect(reads).toBeGreaterThan(before));
  await waitFor(() => expect(answered).toBe(reads));
  await findConnected();
  expect(await screen.findByLabelText('Which alerts')).toHaveValue('type:disk');
});

test('a rule from an alert that cannot be read now is not begun about every alert', async () => {
  // Nothing that is read beside it has an alert of somebody else.
  const { queue } = await memberWithQueue();
  const id = await queue.accept({ customer: 'Nordwind' });
  const recover = intercept('GET', `/api/alerts/${id}`, () => refusal(503, 'The server is busy.'));
  const user = await openPage(ADMINISTRATOR, `/admin/rules/new?alert=${id}`);
  await screen.findByText('The alert could not be loaded');
  expect(screen.queryByLabelText('Which alerts')).toBeNull();
  recover();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  const field: HTMLInputElement = await screen.findByLabelText('Which alerts');
  expect(field.value).toContain('customer:Nordwind');
});
