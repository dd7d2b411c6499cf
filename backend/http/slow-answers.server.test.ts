import { expect, onTestFinished, test, vi } from 'vitest';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

test('an answer that comes after the session got other cookies does not bring the old ones back', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const member = await server.signedIn();
  await server.database.transaction((tx) =>
    tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt: Date.now() - 6 * 60_000 }),
  );
  const list = server.endpoints.find(({ method, path }) => `${method} ${path}` === 'GET /api/folders');
  if (!list) throw new Error('There is no list of folders.');
  const make = list.handle;
  const handle = vi.spyOn(list, 'handle').mockImplementationOnce(async (request) => {
    const change = { currentPassword: TEST_PASSWORD, newPassword: 'another horse altogether' };
    await must(member.send('POST', '/api/auth/password', change));
    return make(request);
  });
  onTestFinished(() => handle.mockRestore());
  const slow = await member.get('/api/folders');
  expect([slow.status, slow.headers.getSetCookie()]).toEqual([200, []]);
  expect((await member.get('/api/folders')).status).toBe(200);
});
