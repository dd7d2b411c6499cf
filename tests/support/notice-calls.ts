import { expect } from 'vitest';
import { noticeListSchema } from '#backend/contract/notice.ts';
import { insertAlerts } from './insert-alerts.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** A server, and somebody who notifies others. */
interface NoticeWorld {
  server: TestServer;
  admin: TestClient;
}

/** Has somebody mention a member on an alert of its own. Resolves to the alert's id. */
export async function mention({ server, admin }: NoticeWorld, member: TestClient, text = 'Look'): Promise<string> {
  const [id = ''] = await insertAlerts(server.database, [{ title: 'Disk full', customer: 'Nordwind' }]);
  await admin.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [member.id] });
  return id;
}

/** The notices of a member, newest first. */
export const noticesOf = async (member: TestClient, query = '') =>
  noticeListSchema.parse(await (await member.get(`/api/notices${query}`)).json());

/** What is given is announced a moment later, together. */
export async function expectNotices(member: TestClient, count: number): Promise<void> {
  await expect.poll(async () => (await noticesOf(member)).length).toBe(count);
}

/** Every change of notices, with a request to it that succeeds. */
export const NOTICE_WRITE_ROUTES: Record<
  string,
  (world: NoticeWorld, member: TestClient) => Promise<{ path: string; body: unknown }>
> = {
  'PATCH /api/notices': async (world, member) => {
    await mention(world, member);
    const [notice] = await noticesOf(member);
    return { path: '/api/notices', body: { ids: [notice?.id], isRead: true } };
  },
  'POST /api/notices/read-all': async (world, member) => {
    await mention(world, member);
    const [notice] = await noticesOf(member);
    return { path: '/api/notices/read-all', body: { upTo: notice?.id } };
  },
};

/** Every success that the document promises of notices, with a call that gets it. */
export function noticeCalls(
  callers: () => NoticeWorld & { member: TestClient },
): Record<string, () => Promise<Response>> {
  const prepared = async (name: string): Promise<Response> => {
    const { member, ...world } = callers();
    const { path, body } = (await NOTICE_WRITE_ROUTES[name]?.(world, member)) ?? { path: '' };
    return member.send(name.split(' ')[0] ?? '', path, body);
  };
  return {
    'GET /api/notices 200': async () => {
      const { member, ...world } = callers();
      await mention(world, member);
      await mention(world, member);
      return member.get('/api/notices?limit=1');
    },
    'GET /api/notices/unread 200': () => callers().member.get('/api/notices/unread'),
    'PATCH /api/notices 200': () => prepared('PATCH /api/notices'),
    'POST /api/notices/read-all 200': () => prepared('POST /api/notices/read-all'),
  };
}
