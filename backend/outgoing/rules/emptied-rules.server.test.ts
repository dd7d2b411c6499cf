import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Configuration,
  configurationPlanSchema,
  configurationResultSchema,
  configurationSchema,
} from '#backend/contract/configuration.ts';
import { type OutgoingRuleChange, outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { outgoingWorld } from '#tests/support/outgoing-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
});
afterAll(() => server.destroy());

const world = outgoingWorld(() => admin);

const addHook = async (): Promise<string> => {
  const name = `Hook ${crypto.randomUUID()}`;
  return (await world.addDestination({ kind: 'webhook', name, url: 'https://example.com/hook' })).destination.id;
};
const deleteHook = (id: string) => must(admin.send('DELETE', `/api/outgoing/destinations/${id}`));
const change = (id: string, body: OutgoingRuleChange) => admin.send('PATCH', `/api/outgoing/rules/${id}`, body);
const read = async (id: string) =>
  outgoingRuleSchema.parse(await (await must(admin.get(`/api/outgoing/rules/${id}`))).json());

/** A rule whose only destination was deleted. */
async function emptied() {
  const destinationId = await addHook();
  const rule = await world.addRule([destinationId]);
  await deleteHook(destinationId);
  return rule;
}

test('a rule whose last destination is deleted is switched off, and the audit trail says so', async () => {
  const { id, name } = await emptied();
  expect(await read(id)).toMatchObject({ isOn: false, destinationIds: [], changedBy: 'Ada Admin' });
  const trail = await (await must(admin.get(`/api/audit?q=${name}`))).json();
  expect(trail).toContainEqual(
    expect.objectContaining({
      action: 'outgoing_rule_changed',
      detail: 'switched off: its destination was deleted',
    }),
  );
});

test('a rule that leads somewhere else, too, stays on', async () => {
  const destinationId = await addHook();
  const { id } = await world.addRule([destinationId, await addHook()]);
  await deleteHook(destinationId);
  expect(await read(id)).toMatchObject({ isOn: true, destinationIds: [expect.any(String)] });
});

test('a rule that leads nowhere is renamed, and switched on only with a destination', async () => {
  const { id } = await emptied();
  const name = `Night ${crypto.randomUUID()}`;
  expect((await change(id, { name, destinationIds: [], ladder: null })).status).toBe(200);
  expect((await change(id, { isOn: false })).status).toBe(200);
  expect((await change(id, { isOn: true })).status).toBe(422);
  expect((await change(id, { isOn: true, destinationIds: [await addHook()] })).status).toBe(200);
  expect(await read(id)).toMatchObject({ name, isOn: true });
  expect((await change(id, { destinationIds: [] })).status).toBe(422);
});

test('a rule that an earlier release left on without a destination is renamed and switched off', async () => {
  const { id } = await emptied();
  await server.database.transaction((tx) => tx.query('UPDATE outgoing_rules SET is_on = 1 WHERE id = ?', [id]));
  expect((await change(id, { name: `Day ${crypto.randomUUID()}` })).status).toBe(200);
  expect((await change(id, { isOn: false })).status).toBe(200);
  expect(await read(id)).toMatchObject({ isOn: false });
});

test('an exported configuration with a rule that leads nowhere can be applied', async () => {
  const { id, name } = await emptied();
  const exported = configurationSchema.parse(await (await must(admin.get('/api/configuration'))).json());
  await must(admin.send('DELETE', `/api/outgoing/rules/${id}`));
  const configuration: Configuration = { outgoingRules: exported.outgoingRules };
  const plan = await must(admin.send('POST', '/api/configuration/plan', configuration));
  const { changes } = configurationPlanSchema.parse(await plan.json());
  expect(changes).toMatchObject([{ action: 'create', name }]);
  const applied = await must(admin.send('POST', '/api/configuration', { configuration, expected: changes }));
  expect(configurationResultSchema.parse(await applied.json()).changes).toHaveLength(1);
  const again = configurationSchema.parse(await (await must(admin.get('/api/configuration'))).json());
  expect(again.outgoingRules).toContainEqual(expect.objectContaining({ name, isOn: false, destinations: [] }));
});
