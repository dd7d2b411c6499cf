import { afterAll, beforeAll, expect, test } from 'vitest';
import { windowListSchema } from '#backend/contract/maintenance.ts';
import { outgoingRuleListSchema, outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { makeRule, readRules } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { planWindow } from '#tests/support/window-calls.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

/** What a rule that sends alerts does: it has somebody to notify. */
const STEPS = [{ afterMinutes: 0, recipients: [{ kind: 'online' }] }];
const SENT = { events: ['new'], destinationIds: [], ladder: { steps: STEPS, repeat: 0, isUrgent: false } };

const faults = async (): Promise<(string | undefined)[]> => {
  const rules = await readRules({ admin });
  const windows = windowListSchema.parse(await (await admin.get('/api/maintenance/windows')).json());
  const outgoing = outgoingRuleListSchema.parse(await (await admin.get('/api/outgoing/rules')).json());
  return [...rules, ...windows, ...outgoing].map(({ fault }) => fault);
};

test('a rule and a window say that a source which they name is called otherwise by now, or gone', async () => {
  const made = await admin.send('POST', '/api/sources', { name: 'Prometheus' });
  const { source } = sourceWithSecretsSchema.parse(await made.json());
  const search = 'source:prometheus';
  await makeRule({ admin }, { search, actions: { severity: 'high' } });
  await planWindow({ admin }, 0, { search });
  const body = { ...SENT, name: 'Of Prometheus', search };
  outgoingRuleSchema.parse(await (await admin.send('POST', '/api/outgoing/rules', body)).json());
  expect(await faults()).toEqual([undefined, undefined, undefined]);
  const renamed = await admin.send('PATCH', `/api/sources/${source.id}?ifVersion=1`, { name: 'Prometheus EU' });
  expect(renamed.status).toBe(200);
  const said = 'No source is called “prometheus” now.';
  expect(await faults()).toEqual([said, said, said]);
});

/** The fault of a new rule with this search. */
const faultOfNew = async (search: string) => {
  const answer = await admin.send('POST', '/api/outgoing/rules', { ...SENT, name: crypto.randomUUID(), search });
  return outgoingRuleSchema.parse(await answer.json()).fault;
};

test('a rule says that nobody is called as the owner whom it names, whom a rename may have', async () => {
  await server.signedIn({ displayName: 'Ann Ashby' });
  expect(await faultOfNew('owner:"ann ashby"')).toBeUndefined();
  expect(await faultOfNew('owner:none')).toBeUndefined();
  expect(await faultOfNew('owner:"Ann Smith"')).toBe('No member is called “Ann Smith” now.');
});

test('a rule says that there is no source any more with the id that it names', async () => {
  const id = '0199f000-0000-7000-8000-000000000001';
  expect(await faultOfNew(`source:${id}`)).toBe(`No source is called “${id}” now.`);
});
