import { expect, onTestFinished, test, vi } from 'vitest';
import { setUserActive } from '#backend/identity/accounts/user-commands.ts';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import { unannounced } from '#tests/support/catch-changes.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { ANSWER_LIMITS } from './answer-limits.ts';

test('a list that waited for its turn is not made for who was thrown out meanwhile', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const member = await server.signedIn({ role: 'admin' });
  const list = server.endpoints.find(({ method, path }) => `${method} ${path}` === 'GET /api/auth/users');
  if (!list) throw new Error('There is no list of members.');
  const gate = Promise.withResolvers<void>();
  const make = list.handle;
  const handle = vi.spyOn(list, 'handle').mockImplementation(async (request) => {
    await gate.promise;
    return make(request);
  });
  onTestFinished(() => handle.mockRestore());
  const statuses: number[] = [];
  const ask = async () => {
    const { status } = await member.get('/api/auth/users');
    statuses.push(status);
    return status;
  };
  const made = Array.from({ length: ANSWER_LIMITS.perMember }, ask);
  await waitFor(() => expect(handle).toHaveBeenCalledTimes(ANSWER_LIMITS.perMember));
  const queued = Array.from({ length: ANSWER_LIMITS.queuedPerMember + 1 }, ask);
  // All others are in the queue once there is no place for one.
  await waitFor(() => expect(statuses).toEqual([429]));
  const { database } = server;
  await setUserActive({ database: unannounced(database) }, COMMAND_LINE, member.id, false);
  gate.resolve();
  expect(new Set(await Promise.all(made))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(queued))).toEqual(new Set([401, 429]));
  expect(handle).toHaveBeenCalledTimes(ANSWER_LIMITS.perMember);
});
