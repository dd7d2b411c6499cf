import { screen, waitFor } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { type SourceChange, sourceSchema } from '#backend/contract/source.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, openPage } from './support/open-page.tsx';

let app: AppServer;
let id: string;
beforeEach(async () => {
  app = await appServer();
  const source = await makeSource(app, `Shared ${crypto.randomUUID()}`, 'generic');
  ({ id } = source);
  await sendLogged(app, source, { title: 'Disk full', order: 'HF-1', failure: 'Card issuer declined' });
});

const path = () => `/api/sources/${id}`;

/** As a colleague changes it on a page of theirs. */
const changeElsewhere = (change: SourceChange) => app.admin.request('PATCH', path(), change);

const stored = async () => sourceSchema.parse(await (await app.admin.request('GET', path())).json());

/** A change of the page reaches the server only after one of a colleague, of which the page does not know. */
function beOvertakenBy(change: SourceChange): void {
  const restore = intercept('PATCH', path(), async (_call, go) => {
    restore();
    await changeElsewhere(change);
    return go();
  });
}

const field = (name: string) => screen.findByLabelText(name, { exact: true });
const button = (name: string) => screen.getByRole('button', { name });
const NOTICE = 'Someone else saved the mapping in the meantime.';

async function openMapping() {
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await screen.findByText('Connected');
  await screen.findByLabelText('title', { exact: true });
  return user;
}

test('a mapping that a colleague saves meanwhile is shown, and saved over only by who has seen it', async () => {
  const user = await openMapping();
  await changeElsewhere({ settings: { mapping: { title: 'title' } } });
  // Nothing was typed: the page follows.
  await waitFor(async () => expect(await field('title')).toHaveValue('title'));
  expect(screen.queryByText(NOTICE)).toBeNull();

  await user.type(await field('dedup key'), 'order');
  await changeElsewhere({ settings: { mapping: { title: 'failure' } } });
  expect(await screen.findByText(NOTICE)).toBeVisible();
  expect(button('Save mapping')).toBeDisabled();
  await user.click(button('Show theirs'));
  expect(await field('title')).toHaveValue('failure');
  expect(await field('dedup key')).toHaveValue('');
  expect(screen.queryByText(NOTICE)).toBeNull();

  await user.type(await field('dedup key'), 'order');
  await changeElsewhere({ settings: { mapping: {} } });
  await screen.findByText(NOTICE);
  await user.click(button('Keep editing'));
  expect(await field('dedup key')).toHaveValue('order');
  await waitFor(() => expect(button('Save mapping')).toBeEnabled());
  await user.click(button('Save mapping'));
  await findToast('Mapping saved');
  expect((await stored()).settings.mapping).toEqual({ title: 'failure', dedupKey: 'order' });
});

test('a mapping is not saved over one that came a moment before, but beside another setting it is', async () => {
  const user = await openMapping();
  await user.type(await field('dedup key'), 'order');
  await waitFor(() => expect(button('Save mapping')).toBeEnabled());
  beOvertakenBy({ settings: { mapping: { title: 'failure' } } });
  await user.click(button('Save mapping'));
  expect(await screen.findByText(NOTICE)).toBeVisible();
  expect((await stored()).settings.mapping).toEqual({ title: 'failure' });
  expect(await field('dedup key')).toHaveValue('order');

  await user.click(button('Keep editing'));
  await waitFor(() => expect(button('Save mapping')).toBeEnabled());
  beOvertakenBy({ settings: { onResolved: 'keep' } });
  await user.click(button('Save mapping'));
  await findToast('Mapping saved');
  expect((await stored()).settings).toMatchObject({ mapping: { dedupKey: 'order' }, onResolved: 'keep' });
});

test('a setting is not saved over what a colleague saved of it a moment before, which is shown', async () => {
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  beOvertakenBy({ settings: { reopenWithinMinutes: 0 } });
  await user.selectOptions(await field('Reopen after completion'), '60');
  await findToast('The setting could not be saved');
  await waitFor(async () => expect(await field('Reopen after completion')).toHaveValue('0'));
  expect((await stored()).settings.reopenWithinMinutes).toBe(0);
});

test('a name that a colleague changes while it is typed is shown', async () => {
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  await screen.findByText('Connected');
  const name = await field('Name');
  await user.type(name, ' mine');
  const theirs = `Theirs ${crypto.randomUUID()}`;
  await changeElsewhere({ name: theirs });
  expect(await screen.findByText(`“${theirs}” was saved in the meantime.`)).toBeVisible();
  await user.type(name, '{Enter}');
  expect((await stored()).name).toBe(theirs);
  await user.click(button('Show theirs'));
  expect(name).toHaveValue(theirs);
});

test('a setting that was just changed is not taken back by an answer from before the change', async () => {
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  await screen.findByText('Connected');
  const basic = await screen.findByRole('checkbox', { name: 'Basic authentication' });
  const { promise: isRead, resolve: haveRead } = Promise.withResolvers<void>();
  const { promise: isSaved, resolve: save } = Promise.withResolvers<void>();
  let asked = 0;
  intercept('GET', path(), async (_call, go) => {
    asked += 1;
    // What is asked after the change is not answered here.
    if (asked > 1) return new Promise<Response>(() => {});
    const answer = await go();
    haveRead();
    await isSaved;
    return answer;
  });
  await app.admin.createSource({ name: `Another ${crypto.randomUUID()}` });
  await isRead;
  await user.click(basic);
  await findToast(/saved/);
  save();
  await waitFor(() => expect(asked).toBeGreaterThan(1));
  expect(basic).not.toBeChecked();
});
