import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { SessionEntity, createSessionStore } from './session-store.ts';

test('the use of a session is noted again a minute after that has failed, also when the clock was set back since', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const member = await server.signedIn();
  await server.database.transaction((tx) =>
    tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt: Date.now() - 2 * 60 * 60_000 }),
  );
  const transaction = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('The disk is full.'));
  let now = Date.now();
  const store = createSessionStore(
    { ...server.database, transaction },
    createLogger('silent'),
    server.config,
    () => now,
  );
  const use = () => store.find(member.cookies.get('sid') ?? '', '127.0.0.1');
  await use();
  await setImmediate();
  await use();
  expect(transaction).toHaveBeenCalledTimes(1);

  now -= 60 * 60_000;
  const aMinuteLater = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(aMinuteLater);
  onTestFinished(() => void vi.restoreAllMocks());
  await use();
  expect(transaction).toHaveBeenCalledTimes(2);
});
