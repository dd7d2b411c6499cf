import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { type Source, sourceListSchema } from '#backend/contract/source.ts';
import { permitNotifications } from './support/browser-permission.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { ADMINISTRATOR, findConnected, intercept, openPage, refusal, startServer } from './support/open-page.tsx';

const main = () => within(screen.getByRole('main'));

test('while nothing arrives, a member learns whom to ask, and empty lists do not point at each other', async () => {
  const app = await startServer();
  const mara = await app.addMember('Mara Lindqvist');
  const user = await openPage(mara, '/', { app });
  await screen.findByText('No sender is connected yet');
  expect(main().getByText('Administrator')).toBeVisible();
  expect(main().queryByText(/@/)).toBeNull();
  expect(main().queryByRole('button', { name: 'My Alerts' })).toBeNull();
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  expect(await screen.findByText('No alerts yet')).toBeVisible();
  expect(main().queryByRole('button', { name: 'New Alerts' })).toBeNull();
});

test('the figure of the first alert stays that alert’s, and the news of it is not below a part of the list', async () => {
  const app = await startServer();
  const user = await openPage(ADMINISTRATOR, '/', { app });
  await screen.findByRole('heading', { name: 'All caught up!' });
  await findConnected();
  await app.post({ customer: 'Nordwind' });
  const news = await screen.findByText(/^Your first alert arrived after \d/);
  const text = news.textContent;

  await app.post({ title: 'Disk full', customer: 'Atlas' });
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await screen.findByText('No alerts yet');
  await user.click(screen.getByRole('link', { name: /^New Alerts/ }));
  expect(await screen.findByText(/^Your first alert arrived/)).toHaveTextContent(text);

  await user.click(await screen.findByRole('button', { name: /^Atlas, filter by/ }));
  await waitFor(() => expect(screen.queryByText(/^Your first alert arrived/)).toBeNull());
  await user.click(await screen.findByRole('button', { name: /^Atlas, filter by/ }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByText(/^Your first alert arrived/)).toBeNull());
});

test('the checklist stays for who watched it being done, and is gone the next time', async () => {
  permitNotifications('granted');
  const app = await startServer();
  await app.addMember('Mara Lindqvist');
  await openPage(ADMINISTRATOR, '/', { app });
  await screen.findByRole('heading', { name: 'All caught up!' });
  await findConnected();
  await app.post({ customer: 'Nordwind' });
  expect(await screen.findByText(/^Your first alert arrived/)).toBeVisible();
  expect(await screen.findAllByTitle('Done')).toHaveLength(2);
  await openPage(ADMINISTRATOR, '/', { app, keepsStorage: true });
  await screen.findByRole('article');
  await waitFor(() => expect(localStorage.getItem('first-run-open')).toBe('false'));
  expect(screen.queryByText(/^Your first alert arrived/)).toBeNull();
});

/** A server on which no source was created yet. */
async function startWithoutSources(): Promise<AppServer> {
  const app = await startServer();
  for (const { id } of await sourcesOf(app)) await app.admin.request('DELETE', `/api/sources/${id}`);
  expect(await sourcesOf(app)).toEqual([]);
  return app;
}

const sourcesOf = async ({ admin }: AppServer): Promise<Source[]> =>
  sourceListSchema.parse(await (await admin.request('GET', '/api/sources')).json());

test('the secrets of the first source are shown and asked about although its answer comes after the list knows it', async () => {
  const app = await startWithoutSources();
  const user = await openPage(ADMINISTRATOR, '/', { app });
  const answer = Promise.withResolvers<undefined>();
  intercept('POST', '/api/sources', async (_, go) => {
    const created = await go();
    await answer.promise;
    return created;
  });
  await user.type(await screen.findByRole('textbox', { name: 'Source name' }), 'Production monitoring{Enter}');
  await screen.findByRole('button', { name: 'Creating…' });
  await waitFor(async () => expect(await sourcesOf(app)).toHaveLength(1));
  // Leaving now waits for the answer, and then asks.
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  expect(await screen.findByText(/You can leave once its credential is here/)).toBeVisible();
  answer.resolve(undefined);
  const question = within(await screen.findByRole('dialog', { name: 'Leave without copying the credential?' }));
  await user.click(question.getByRole('button', { name: 'Leave without it' }));
  await screen.findByText('No alerts yet');
});

test('who leaves while the first source is created stays where that fails, and reads why', async () => {
  const app = await startWithoutSources();
  const user = await openPage(ADMINISTRATOR, '/', { app });
  const answer = Promise.withResolvers<undefined>();
  intercept('POST', '/api/sources', async () => {
    await answer.promise;
    return refusal(503, 'The database is away.');
  });
  await user.type(await screen.findByRole('textbox', { name: 'Source name' }), 'Production monitoring{Enter}');
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  answer.resolve(undefined);
  expect(await screen.findByRole('alert')).toHaveTextContent('The database is away.');
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await screen.findByText('No alerts yet');
});
