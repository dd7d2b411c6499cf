import { expect, test } from 'vitest';
import type { OutgoingRuleChange } from '#backend/contract/outgoing.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { onlineLadder } from '#tests/support/ladder-world.ts';
import { json } from '#tests/support/outgoing-world.ts';
import { createPlanKeeper } from './load-plan.ts';
import { makeMessages } from './make-messages.ts';

const on = useOutgoingServer();

/** A rule about one customer that leads to a webhook, and an alert that came once it was on. */
async function setUp() {
  const customer = crypto.randomUUID();
  const { url } = await on.receive();
  const { destination } = await on.world.addDestination({ kind: 'webhook', name: `Hook ${customer}`, url });
  const rule = await on.world.addRule([destination.id], { search: `customer:"${customer}"` });
  const at = Date.now();
  const alertId = await on.post({ customer, title: 'Disk full' });
  await expect.poll(() => Date.now()).toBeGreaterThan(at);
  return {
    customer,
    ruleId: rule.id,
    destinationId: destination.id,
    change: (change: OutgoingRuleChange) => json(on.admin.send('PATCH', `/api/outgoing/rules/${rule.id}`, change)),
    /** How many messages the alert makes where it is read from the feed by now. */
    async made(): Promise<number> {
      const { database } = on.server;
      const plan = await createPlanKeeper(database, createLogger('silent')).current();
      const came = { alertId, event: 'new', key: 'new', at, by: 'sender' } as const;
      return plan ? (await makeMessages({ database, publicUrl: undefined }, plan, [came])).length : 0;
    },
  };
}

test('a rule that is saved while the feed is behind sends what came before', async () => {
  const { customer, destinationId, change, made } = await setUp();
  await change({ name: `Renamed ${customer}` });
  expect(await made()).toBe(1);
  await change({ search: `customer:"${customer}" Disk`, events: ['new', 'completed'], isOn: true });
  expect(await made()).toBe(1);
  await change({ destinationIds: [destinationId], ladder: onlineLadder([60]) });
  expect(await made()).toBe(1);
});

test('a rule that is switched on again, or led nowhere, sends nothing that came before', async () => {
  const { customer, destinationId, change, made } = await setUp();
  await change({ isOn: false });
  await change({ name: `Renamed ${customer}` });
  await change({ isOn: true });
  expect(await made()).toBe(0);

  const other = await setUp();
  // As an earlier release left it.
  await on.server.database.transaction((tx) =>
    tx.query("UPDATE outgoing_rules SET destination_ids = '[]' WHERE id = ?", [other.ruleId]),
  );
  await other.change({ destinationIds: [destinationId] });
  expect(await other.made()).toBe(0);
});
