import { screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { destinationWithSecretSchema } from '#backend/contract/outgoing.ts';
import { ADMINISTRATOR, appServer, findConnected, intercept, json, openPage } from './support/open-page.tsx';

/** A receipt of an alert whose first attempt failed. */
function failedReceipt(alertId: string) {
  const at = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    alertId,
    alertTitle: 'Failed',
    destinationId: crypto.randomUUID(),
    destinationName: 'Ops',
    kind: 'webhook',
    event: 'new',
    state: 'waiting',
    createdAt: at,
    finishedAt: null,
    nextAt: new Date(Date.now() + 600_000).toISOString(),
    attemptCount: 1,
    attempts: [{ at, durationMs: 5, answer: '500: down' }],
  };
}

test('a message that failed can be sent at once, one that nobody has tried or of a member’s own channel cannot', async () => {
  const app = await appServer();
  const id = await app.post({ customer: 'Failed' });
  const receipt = failedReceipt(id);
  const untried = { ...receipt, id: crypto.randomUUID(), destinationName: 'Night', attemptCount: 0, attempts: [] };
  const own = { ...receipt, id: crypto.randomUUID(), destinationName: 'Nora, Pager', kind: 'ntfy', isOwn: true };
  intercept('GET', /\/api\/alerts\/[^/]+\/receipts$/, () => json({ receipts: [receipt, untried, own] }));
  const sent: string[] = [];
  intercept('POST', /\/send-again$/, ({ url }) => {
    sent.push(url.pathname);
    return new Response(null, { status: 204 });
  });
  const user = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await user.click(await screen.findByRole('tab', { name: /Notified/ }));
  await user.click(await screen.findByRole('button', { name: /Night/ }));
  await user.click(screen.getByRole('button', { name: /Ops.*Failed/ }));
  await user.click(screen.getByRole('button', { name: /Nora, Pager.*Failed/ }));
  expect(screen.queryByRole('button', { name: 'Send again to Nora, Pager' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send again to Night' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send again to Ops' }));
  await waitFor(() => expect(sent).toEqual([`/api/outgoing/messages/${receipt.id}/send-again`]));
});

test('where older receipts are left out, the list and its tab say so', async () => {
  const app = await appServer();
  const id = await app.post({ customer: 'Many' });
  let more: { hasOlder?: true } = { hasOlder: true };
  intercept('GET', /\/api\/alerts\/[^/]+\/receipts$/, () => json({ receipts: [failedReceipt(id)], ...more }));
  const user = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await user.click(await screen.findByRole('tab', { name: 'Notified 1+' }));
  await screen.findByText('Older ones are left out.');
  more = {};
  await screen.findByRole('tab', { name: 'Notified 1' });
  expect(screen.queryByText('Older ones are left out.')).toBeNull();
});

const undelivered = (alertTitle: string) => ({
  ...failedReceipt(crypto.randomUUID()),
  alertTitle,
  state: 'not-delivered',
});

/** The page of a destination to which messages were not delivered. */
async function pageWithUndelivered(...titles: string[]) {
  const { admin } = await appServer();
  const path = '/api/outgoing/destinations';
  const body = { kind: 'webhook', name: crypto.randomUUID(), url: 'https://hooks.example.com/in' };
  const { destination } = destinationWithSecretSchema.parse(await (await admin.request('POST', path, body)).json());
  onTestFinished(async () => void (await admin.request('DELETE', `${path}/${destination.id}`)));
  const page = { rows: titles.map(undelivered), touch: () => admin.request('PATCH', `${path}/${destination.id}`, {}) };
  intercept('GET', path, () =>
    json({ destinations: [{ ...destination, notDelivered: page.rows.length }], isMailConfigured: false }),
  );
  intercept('GET', '/api/outgoing/messages', () => json(page.rows));
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${destination.id}`);
  return { user, page };
}

test('what was not delivered is what is so by now, whoever has sent it again', async () => {
  const { page } = await pageWithUndelivered('Disk full', 'Late answers');
  await screen.findByRole('button', { name: /Disk full/ });
  await findConnected();
  page.rows = [undelivered('Queue is long'), ...page.rows.slice(1)];
  await page.touch();
  await screen.findByRole('button', { name: /Queue is long/ });
  expect(screen.queryByRole('button', { name: /Disk full/ })).toBeNull();
  expect(screen.getByRole('button', { name: /Late answers/ })).toBeVisible();
});

test('once a message that was not delivered is sent again, the focus is on the next one, and then stays on the page', async () => {
  const { user, page } = await pageWithUndelivered('Disk full', 'Late answers');
  intercept('POST', /\/send-again$/, ({ url }) => {
    page.rows = page.rows.filter(({ id }) => !url.pathname.includes(id));
    return new Response(null, { status: 204 });
  });
  (await screen.findByRole('button', { name: /Disk full/ })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: /Disk full/ })).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: /Late answers/ })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: /Late answers/ })).toBeNull());
  await waitFor(() => expect(document.body).not.toHaveFocus());
});
