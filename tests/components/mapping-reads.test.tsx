import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, intercept, openPage, refusal } from './support/open-page.tsx';

let app: AppServer;
let id: string;
beforeEach(async () => {
  app = await appServer();
  const source = await makeSource(app, `Read ${crypto.randomUUID()}`, 'generic');
  ({ id } = source);
  await sendLogged(app, source, { title: 'Disk full', order: 'HF-1' });
});

const KEPT_NO_LONGER = 'Body no longer kept';
const panel = async () => within(await screen.findByRole('region', { name: 'Delivery' }));
const alertCard = () => screen.getByRole('region', { name: 'The alert' });

test.each([
  ['the deliveries', () => `/api/sources/${id}/deliveries`, 'Could not be loaded'],
  ['the delivery', () => /^\/api\/deliveries\//, 'Disk full'],
])('where %s cannot be read, the mapping says so and tries again', async (_what, path, card) => {
  const restore = intercept('GET', path(), () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  const failure = within(await (await panel()).findByRole('alert'));
  expect(failure.getByText('The database is away.')).toBeVisible();
  await waitFor(() => expect(alertCard()).toHaveTextContent(card));
  expect(screen.queryByText(KEPT_NO_LONGER)).toBeNull();
  expect(screen.queryByText('Pasted request')).toBeNull();
  restore();
  await user.click(failure.getByRole('button', { name: 'Try again' }));
  expect(await (await panel()).findByRole('button', { name: 'Use order as…' })).toBeVisible();
  expect(alertCard()).toHaveTextContent('Disk full');
});

test('a body counts as no longer kept only once its delivery was read', async () => {
  const answered = Promise.withResolvers<void>();
  intercept('GET', /^\/api\/deliveries\//, async (_call, go) => {
    await answered.promise;
    const delivery = (await (await go()).json()) as object;
    return Response.json({ ...delivery, body: null });
  });
  await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await waitFor(() => expect(alertCard()).toHaveTextContent('Disk full'));
  expect(screen.queryByText(KEPT_NO_LONGER)).toBeNull();
  answered.resolve();
  expect(await (await panel()).findByText(KEPT_NO_LONGER)).toBeVisible();
});
