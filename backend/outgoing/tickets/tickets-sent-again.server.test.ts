import { expect, test } from 'vitest';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { type KnownSystem, TICKET_SYSTEMS } from '#tests/support/ticket-world.ts';
import { must } from '#tests/support/write-routes.ts';

const on = useOutgoingServer();

test('what is sent again of a problem leaves its ticket as the problem is by now', async () => {
  await Promise.all(TICKET_SYSTEMS.map(sendAgainTo));
});

async function sendAgainTo(system: KnownSystem): Promise<void> {
  const customer = `${system.name} ${crypto.randomUUID()}`;
  const double = system.start();
  const { url } = await on.receive(double.rules);
  await on.addFor(customer, { ...system.fields, url }, ['new', 'completed']);
  const id = await on.post({ customer, type: 'disk', title: 'Disk full on db-7', alertKey: customer });
  const states = () => double.tickets.map(({ state }) => `${system.name} ${state}`);
  const setStatus = (status: string) => must(on.admin.send('PATCH', `/api/webhooks/${id}/status`, { status }));
  const receiptOf = async (event: string) =>
    (await on.world.receipts(id)).receipts.find((receipt) => receipt.event === event);
  const sendAgain = async (event: string): Promise<void> => {
    const isSent = async () => (await receiptOf(event))?.state;
    await expect.poll(isSent).toBe('sent');
    const before = await receiptOf(event);
    await must(on.admin.send('POST', `/api/outgoing/messages/${before?.id}/send-again`));
    const attempts = async () => (await receiptOf(event))?.attemptCount;
    await expect.poll(attempts).toBe((before?.attemptCount ?? 0) + 1);
    await expect.poll(isSent).toBe('sent');
  };
  await expect.poll(states).toEqual([`${system.name} open`]);
  await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await setStatus('completed');
  await expect.poll(states).toEqual([`${system.name} closed`]);
  await sendAgain('new');
  expect(states()).toEqual([`${system.name} closed`]);
  // Somebody goes on with it, and opens its ticket.
  await setStatus('in-progress');
  for (const ticket of double.tickets) ticket.state = 'open';
  await sendAgain('completed');
  expect(states()).toEqual([`${system.name} open`]);
}
