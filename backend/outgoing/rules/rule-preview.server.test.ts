import { expect, test } from 'vitest';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { rulePreviewSchema } from '#backend/contract/outgoing-rule-preview.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { must } from '#tests/support/write-routes.ts';

const on = useOutgoingServer();

const preview = async (query: Record<string, string | string[]>) => {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const answer = await on.admin.get(`/api/outgoing/rule-preview?${new URLSearchParams(pairs)}`);
  expect(answer.status).toBe(200);
  return rulePreviewSchema.parse(await answer.json());
};
const sum = (hours: readonly number[]): number => hours.reduce((total, count) => total + count, 0);

/** What a sender's next report of the problem writes. */
const changeSeverity = (alertId: string, previousSeverity: AlertSeverity, newSeverity: AlertSeverity) =>
  on.server.database.transaction((tx) =>
    tx.getRepository(HistoryEntity).insert({
      id: newId(),
      alertId,
      action: 'severity_change',
      previousSeverity,
      newSeverity,
      userDisplayName: 'Sender',
      createdAt: Date.now(),
    }),
  );

test('a rule says what it would have sent: of each event, to each destination that may hear of the customer', async () => {
  const customer = `Preview ${crypto.randomUUID()}`;
  const url = 'https://hooks.example.com/in';
  const all = await on.world.addDestination({ kind: 'webhook', name: crypto.randomUUID(), url });
  const other = await on.world.addDestination({
    kind: 'webhook',
    name: crypto.randomUUID(),
    url,
    customers: ['Somebody else'],
  });
  const first = await on.post({ customer, title: 'Disk full', severity: 'warning' });
  const second = await on.post({ customer, title: 'Queue is long' });
  await changeSeverity(first, 'warning', 'critical');
  await changeSeverity(first, 'critical', 'high');
  await must(on.admin.send('POST', `/api/alerts/${first}/accept`, {}));
  await must(on.admin.send('PATCH', `/api/webhooks/${first}/status`, { status: 'in-progress' }));
  await must(on.admin.send('PATCH', `/api/webhooks/${first}/status`, { status: 'completed' }));
  const search = `customer:"${customer}"`;
  const destinationIds = [all.destination.id, other.destination.id];
  const { hours, newest, isCut } = await preview({ search, events: ['new', 'escalated', 'accepted'], destinationIds });
  expect([hours.length, hours.at(-1), sum(hours), isCut]).toEqual([168, 4, 4, false]);
  expect(newest).toEqual([
    { id: second, messages: 1 },
    { id: first, messages: 3 },
  ]);
  expect(sum((await preview({ search, events: 'completed', destinationIds })).hours)).toBe(1);
  expect(sum((await preview({ search, events: 'completed' })).hours)).toBe(0);
  await on.world.changeDestination(all.destination.id, { isPaused: true });
  expect(sum((await preview({ search, events: 'new', destinationIds })).hours)).toBe(0);
  const wrong = await on.admin.get('/api/outgoing/rule-preview?search=severity%3Aworst');
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('severity: takes critical')]);
});
