import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { labelsStored } from './stored-labels.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('among very many labels one is found as it is written, and those before it in any case', async () => {
  const many = Array.from({ length: 1_000 }, (_, number) => `L${String(number).padStart(4, '0')}`);
  const labels = ['AFTER ALL', ...many, 'after all'];
  await insertAlerts(
    server.database,
    labels.map((label) => ({ label })),
  );
  expect(await labelsStored(server.database, ['l0007'])).toContain('L0007');
  expect(await labelsStored(server.database, ['after all'])).toEqual(['AFTER ALL', 'after all']);
  expect(await labelsStored(server.database, ['nowhere'])).toEqual(['nowhere']);
});
