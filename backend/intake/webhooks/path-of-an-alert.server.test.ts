import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { Transaction } from '#backend/platform/database/transaction.ts';

/** Modules that may stand between a request and its stored row, one within the other. */
const MOST = 12;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** The modules of the backend whose functions wait for one another here, the outermost first. */
const modulesOfStack = (): string[] =>
  [...(new Error('where').stack ?? '').matchAll(/\/backend\/([\w/-]+)\.ts:/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.endsWith('path-of-an-alert.server.test'))
    .toReversed();

test(`an alert passes at most ${MOST} modules, each called by the one before, until its row is stored`, async () => {
  const { key } = await createSourceWorld(server, await server.signedIn({ role: 'admin' })).newSource();
  const sender = await server.signedIn();
  await sender.postAlert(key, { title: 'Before', customer: 'Nordwind' });

  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
    vi.restoreAllMocks();
  });
  const passed = new Set<string>();
  const note = (isOf: (modules: string[]) => boolean) => {
    const modules = modulesOfStack();
    if (isOf(modules)) for (const one of modules) passed.add(one);
  };
  // The clock is read where a request is taken, and where its alerts are queued for the next batch.
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => {
    note((modules) => ['intake/webhooks/webhook-route', 'intake/write/alert-writer'].includes(modules.at(-1) ?? ''));
    return clock();
  });
  const { runRows } = Transaction.prototype;
  vi.spyOn(Transaction.prototype, 'runRows').mockImplementation(function noting(this: Transaction, sqlOf, rows) {
    if (sqlOf(1).startsWith('INSERT INTO alerts ')) {
      note(() => true);
      // What runs the statement.
      passed.add('platform/database/dialect');
    }
    return runRows.call(this, sqlOf, rows);
  });
  await sender.postAlert(key, { title: 'Disk full', customer: 'Nordwind' });

  expect([...passed]).toEqual(
    expect.arrayContaining([
      'http/listen',
      'http/answer-webhooks',
      'intake/webhooks/webhook-route',
      'intake/webhooks/deliver',
      'intake/write/alert-writer',
      'platform/database/database',
      'platform/database/transaction',
      'intake/write/write-batch',
      'intake/write/write-rows',
      'platform/database/dialect',
    ]),
  );
  expect(passed.size).toBeLessThanOrEqual(MOST);
});
