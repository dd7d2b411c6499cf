import { afterEach, expect, test, vi } from 'vitest';
import { OutgoingRuleEntity } from '#backend/outgoing/rules/rule-entity.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { json } from '#tests/support/outgoing-world.ts';

const HOUR_MS = 60 * 60_000;

const on = useOutgoingServer();
const { world, receive, post } = on;

afterEach(() => void vi.useRealTimers());

/** A rule about one customer, and where it sends to. */
async function addRule(customer: string) {
  const receiver = await receive();
  const input = { kind: 'webhook' as const, name: `Destination ${customer}`, url: receiver.url };
  const { destination } = await world.addDestination(input);
  return { receiver, rule: await world.addRule([destination.id], { search: `customer:"${customer}"` }) };
}

test('a rule that was switched on by a clock ahead goes on as soon as that is set back', async () => {
  const customer = crypto.randomUUID();
  const { receiver, rule } = await addRule(customer);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS });
  for (const isOn of [false, true]) await json(on.admin.send('PATCH', `/api/outgoing/rules/${rule.id}`, { isOn }));
  await post({ customer });
  await expect.poll(() => receiver.taken().length).toBe(1);
  vi.useRealTimers();
  await post({ customer });
  await expect.poll(() => receiver.taken().length).toBe(2);
});

test('a rule that was switched on by the clock of another server, which is ahead, begins once it is read or saved', async () => {
  const customer = crypto.randomUUID();
  const { receiver, rule } = await addRule(customer);
  await on.server.database.transaction((tx) =>
    tx
      .getRepository(OutgoingRuleEntity)
      .update({ id: rule.id }, { activeSince: Date.now() + 2 * HOUR_MS, version: rule.version + 1 }),
  );
  const taken = async () => {
    await post({ customer });
    return receiver.taken().length;
  };
  await expect.poll(taken, { interval: 500 }).toBeGreaterThan(0);
  await json(on.admin.send('PATCH', `/api/outgoing/rules/${rule.id}`, { name: `Renamed ${customer}` }));
  const stored = await on.server.database.reads.getRepository(OutgoingRuleEntity).findOneByOrFail({ id: rule.id });
  expect(stored.activeSince).toBeLessThanOrEqual(Date.now());
});
