import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, appServer, intercept, json, openPage } from './support/open-page.tsx';

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
