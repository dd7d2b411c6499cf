import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { sourceListSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { clearSources, send } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, openPage } from './support/open-page.tsx';

const region = (name: string) => screen.findByRole('region', { name });

const leaving = () => screen.findByRole('dialog', { name: 'Leave without copying the credential?' });

test('a new source shows its secret once, fills the set-up in, and asks before it is left without', async () => {
  await clearSources(await appServer());
  const user = await openPage(ADMINISTRATOR, '/admin/sources');
  await user.click(await screen.findByRole('button', { name: 'New source' }));
  expect(await screen.findAllByRole('radio')).toHaveLength(37);
  screen.getByRole('radio', { name: /^Any JSON/ }).focus();
  await user.keyboard('prom');
  expect(screen.getByLabelText('Search senders')).toHaveValue('prom');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('radio', { name: /Alertmanager/ })).toBeChecked());
  const name = screen.getByLabelText('Name', { exact: true });
  expect(name).toHaveValue('Alertmanager');
  await user.clear(name);
  await user.type(name, 'Alertmanager production{Enter}');

  await screen.findByRole('heading', { level: 1, name: 'Alertmanager production' });
  const secret = (await screen.findByText(/^ad_/, { selector: '.secret-field__text' })).textContent ?? '';
  expect(secret).toMatch(/^ad_[\w-]{43}$/);
  await waitFor(async () => expect(await region('alertmanager.yml')).toHaveTextContent(`credentials: ${secret}`));
  expect(screen.getByText('Waiting for the first delivery…')).toBeVisible();
  // In text alone, and nowhere else.
  const kept = JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]);
  expect(kept).not.toContain(secret);
  for (const element of document.querySelectorAll('*'))
    for (const { value } of element.attributes) expect(value).not.toBe(secret);

  const stay = async () => {
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  const question = await leaving();
  expect(question).toHaveTextContent(secret);
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Copy and leave' })).toHaveFocus());
  await stay();
  history.back();
  await leaving();
  await stay();
  await waitFor(() => expect(location.pathname).toBe('/admin/sources/new'));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await user.click(within(await leaving()).getByRole('button', { name: 'Copy and leave' }));
  await waitFor(() => expect(location.pathname).toMatch(/^\/admin\/sources\/[\da-f-]{36}\/deliveries$/));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.click(await screen.findByRole('link', { name: 'Setup' }));
  await waitFor(async () => expect(await region('alertmanager.yml')).toHaveTextContent(`••••${secret.slice(-4)}`));
  expect(screen.getByRole('note')).toHaveTextContent(/^Other machines cannot reach .*PUBLIC_URL/);
  expect(screen.queryByText(secret, { exact: false })).toBeNull();
});

test('of two secrets that are shown once, the one that was not copied is asked about', async () => {
  await clearSources(await appServer());
  const user = await openPage(ADMINISTRATOR, '/admin/sources/new?sender=github');
  await user.click(await screen.findByRole('button', { name: 'Create source' }));
  const credentials = within(await region('Address and credentials'));
  await user.click(credentials.getByRole('button', { name: 'Copy signing secret' }));
  await credentials.findByText('Copied');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  const question = within(await leaving());
  expect(question.queryByRole('button', { name: 'Copy signing secret' })).toBeNull();
  await user.click(question.getByRole('button', { name: 'Copy and leave' }));
  await waitFor(() => expect(location.pathname).toMatch(/\/deliveries$/));
  expect(await navigator.clipboard.readText()).toMatch(/^http.*\/in\/\S+$/);
});

/** Makes a source of any JSON in a new browser, on whose page its first delivery is waited for. */
async function openNewSource() {
  const app = await appServer();
  await clearSources(app);
  await app.clear();
  const user = await openPage(ADMINISTRATOR, '/admin/sources/new?sender=generic');
  const name = await screen.findByLabelText('Name', { exact: true });
  await user.clear(name);
  await user.type(name, 'Shop orders{Enter}');
  await screen.findByText('Waiting for the first delivery…');
  const key = [...document.querySelectorAll('.secret-field__text')].find((one) => one.textContent?.startsWith('ad_'));
  return { app, user, key: key?.textContent ?? '' };
}

/** The button of what arrived, once the alert can be accepted. */
async function findAccept() {
  const accept = await within(await region('First delivery')).findByRole('button', { name: 'Accept' });
  await waitFor(() => expect(accept).toBeEnabled());
  return accept;
}

test('who opens the address of a new source in a browser leaves it waiting for the first delivery', async () => {
  const { app, key } = await openNewSource();
  const sources = sourceListSchema.parse(await (await app.admin.request('GET', '/api/sources')).json());
  const source = sources.find(({ name }) => name === 'Shop orders');
  const rotated = await app.admin.request('POST', `/api/sources/${source?.id}/rotate`, { kind: 'token' });
  const { plain } = sourceWithSecretsSchema.parse(await rotated.json());
  expect((await fetch(new URL(`/in/${plain.token}`, app.url))).status).toBe(200);
  const log = async () => (await app.admin.request('GET', `/api/sources/${source?.id}/deliveries`)).text();
  await waitFor(async () => expect(await log()).toContain('Opened in a browser'));
  await send(app, key, { title: 'Card issuer declined' });
  const arrived = await region('First delivery');
  await waitFor(() => expect(arrived).toHaveTextContent('Card issuer declined'));
  expect(arrived).not.toHaveTextContent('Opened in a browser');
});

test('the first alert of a new source is accepted there, and that is undone like any other', async () => {
  const { app, user, key } = await openNewSource();
  await send(app, key, { title: 'Card issuer declined' });
  const accept = await findAccept();
  await user.click(accept);
  const toast = within(await findToast('Moved to your queue'));
  expect(accept).toHaveTextContent('Accepted');
  await user.click(toast.getByRole('button', { name: /^Undo/ }));
  await waitFor(() => expect(accept).toBeEnabled());
  expect(await app.inbox()).toHaveLength(1);
});

test('the first alert of a new source that its sender completes meanwhile is said to be completed', async () => {
  const { app, key } = await openNewSource();
  const problem = { title: 'Disk full', dedup_key: 'disk' };
  await send(app, key, { ...problem, status: 'firing' });
  const accept = await findAccept();
  await send(app, key, { ...problem, status: 'resolved' });
  await waitFor(() => expect(accept).toBeDisabled());
  expect(accept).toHaveTextContent('Completed');
});

test('where there are as many sources as there may be, the page of a new one says so', async () => {
  const full = 'There are 1,000 sources already. Delete one first.';
  intercept('POST', '/api/sources', () => new Response(full, { status: 409 }));
  const user = await openPage(ADMINISTRATOR, '/admin/sources/new');
  await user.type(await screen.findByLabelText('Name', { exact: true }), 'Day shift{Enter}');
  expect(await screen.findByText(full)).toBeVisible();
});

test('a key that was taken over is the one that the set-up says: the one that was made with the source is not shown any more', async () => {
  await clearSources(await appServer());
  const user = await openPage(ADMINISTRATOR, '/admin/sources/new?sender=opsgenie');
  await user.click(await screen.findByRole('button', { name: 'Create source' }));
  const credentials = await region('Address and credentials');
  const setUp = await region('Set up Opsgenie');
  expect(credentials).toHaveTextContent(/ad_[\w-]{43}/);
  expect(setUp).toHaveTextContent(/ad_[\w-]{43}/);
  const own = crypto.randomUUID();
  await user.type(screen.getByLabelText('Existing API key'), `${own}{Enter}`);
  await waitFor(() => expect(setUp).toHaveTextContent(`The key …${own.slice(-4)} is accepted.`));
  await waitFor(() => expect(setUp).toHaveTextContent(new RegExp(`API key•+${own.slice(-4)}`)));
  for (const part of [credentials, setUp]) expect(part).not.toHaveTextContent('ad_');
  // There is nothing to copy before it is left.
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(location.pathname).not.toContain('/new'));
});
