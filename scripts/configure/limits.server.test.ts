import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { type Configuration, configurationPlanSchema, configurationSchema } from '#backend/contract/configuration.ts';
import { MAX_GROUPS } from '#backend/contract/ladder.ts';
import { MAX_DESTINATIONS } from '#backend/contract/outgoing.ts';
import { MAX_SOURCES } from '#backend/contract/source.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

/** Plans and applies. @returns the actions of the plan */
const apply = async (configuration: object): Promise<string[]> => {
  const planned = await admin.send('POST', '/api/configuration/plan', configuration);
  expect([planned.status, planned.status === 200 || (await planned.text())]).toEqual([200, true]);
  const { changes } = configurationPlanSchema.parse(await planned.json());
  const applied = await admin.send('POST', '/api/configuration', { configuration, expected: changes });
  expect(applied.status).toBe(200);
  return changes.map(({ action }) => action).toSorted();
};

const read = async (): Promise<Configuration> =>
  configurationSchema.parse(await (await admin.get('/api/configuration')).json());

const numbered = (count: number, more: object): { name: string }[] =>
  Array.from({ length: count }, (_, number) => ({ name: `Number ${number}`, ...more }));

/** Puts in as many sources as there may be: more than one run makes. */
async function fillSources({ sources }: { sources?: readonly { name: string }[] }): Promise<void> {
  const rows = (sources ?? []).map(({ name }) => ({
    id: uuidv7(),
    name,
    nameKey: name.toLowerCase(),
    settings: '{}',
    pausedAt: null,
    pausedBy: null,
    recognisedAs: null,
    createdAt: Date.now(),
    version: 1,
  }));
  await server.database.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += 100)
      await tx.getRepository(SourceEntity).insert(rows.slice(from, from + 100));
  });
}

test.each([
  ['groups', numbered(MAX_GROUPS, { members: [] }), apply],
  ['destinations', numbered(MAX_DESTINATIONS, { kind: 'webhook', url: 'https://example.com/hook' }), apply],
  ['sources', numbered(MAX_SOURCES, {}), fillSources],
] as const)('of %s of which there are as many as there may be, one is replaced', async (section, all, fill) => {
  await fill({ [section]: all });
  const [replaced, ...rest] = all;
  expect(await apply({ [section]: [{ ...replaced, name: 'Another' }, ...rest] })).toEqual(['create', 'delete']);
  const present = (await read())[section] ?? [];
  expect(present).toHaveLength(all.length);
  expect(present.map(({ name }) => name)).toContain('Another');
  expect(present.map(({ name }) => name)).not.toContain(replaced?.name);
});
