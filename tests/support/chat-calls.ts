import { connectUrl } from '#backend/outgoing/chat/connect-link.ts';
import { DestinationEntity, targetOf } from '#backend/outgoing/destinations/destination-entity.ts';
import { destinationWithSecretSchema } from '#backend/contract/outgoing.ts';
import { chatAccountSchema } from '#backend/contract/chat-account.ts';
import { actionValue } from '#backend/outgoing/destinations/kinds/chat-actions.ts';
import { actionKey } from '#backend/outgoing/destinations/kinds/mattermost-bot.ts';
import { insertAlerts } from './insert-alerts.ts';
import { MATTERMOST_CHANNEL, MATTERMOST_TOKEN } from './mattermost-service.ts';
import { sealingOf } from './sealing-of.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

type HasServer = { server: TestServer };

const SERVER = 'https://mattermost.example.com';

/** The code of a link by which one account of Mattermost is connected; another one each time. */
async function newCode({ server }: HasServer, account: string = crypto.randomUUID()): Promise<string> {
  const named = { service: 'mattermost', place: account, account, accountName: 'ann' } as const;
  const url = connectUrl(await sealingOf(server), new URL('https://alerts.example.com'), named);
  return new URL(url).searchParams.get('connect') ?? '';
}

async function connected(world: HasServer, member: TestClient): Promise<string> {
  const response = await member.send('POST', '/api/account/chat-accounts', { code: await newCode(world) });
  return chatAccountSchema.parse(await response.json()).id;
}

/** Changes of the accounts by which a member acts, each with a request that succeeds. */
export const CHAT_WRITE_ROUTES: Record<
  string,
  (world: HasServer, member: TestClient) => Promise<{ path: string; body?: unknown }>
> = {
  'POST /api/account/chat-accounts/offer': async (world) => ({
    path: '/api/account/chat-accounts/offer',
    body: { code: await newCode(world) },
  }),
  'POST /api/account/chat-accounts': async (world) => ({
    path: '/api/account/chat-accounts',
    body: { code: await newCode(world) },
  }),
  'DELETE /api/account/chat-accounts/:id': async (world, member) => ({
    path: `/api/account/chat-accounts/${await connected(world, member)}`,
  }),
};

/** Who may call these. */
export const CHAT_POLICY: Record<string, 'member' | 'anyone'> = {
  'GET /api/account/chat-accounts': 'member',
  'POST /api/account/chat-accounts': 'member',
  'POST /api/account/chat-accounts/offer': 'member',
  'DELETE /api/account/chat-accounts/:id': 'member',
  'POST /api/chat/slack': 'anyone',
  'POST /api/chat/mattermost': 'anyone',
};

/** A press of a button that Mattermost posted for a destination, by an account that nobody has connected. */
async function pressed(server: TestServer, admin: TestClient): Promise<unknown> {
  const body = {
    kind: 'mattermost-bot',
    name: crypto.randomUUID(),
    url: SERVER,
    room: MATTERMOST_CHANNEL,
    token: MATTERMOST_TOKEN,
  };
  const made = destinationWithSecretSchema.parse(
    await (await admin.send('POST', '/api/outgoing/destinations', body)).json(),
  );
  const { id } = made.destination;
  const stored = await server.database.reads.getRepository(DestinationEntity).findOneByOrFail({ id });
  const { secrets } = targetOf(await sealingOf(server), stored);
  const [alertId = ''] = await insertAlerts(server.database, [{ title: 'Disk full' }]);
  const value = actionValue(id, alertId);
  const key = actionKey(secrets.actionSecret ?? '', 'accept', value);
  return { user_id: 'u1', user_name: 'ann', context: { action: 'accept', value, key } };
}

/** Every success that the document promises of these, with a call that gets it. */
export function chatCalls(
  callers: () => { server: TestServer; admin: TestClient; member: TestClient },
): Record<string, () => Promise<Response>> {
  const prepared = async (name: string): Promise<Response> => {
    const { path = '', body } = (await CHAT_WRITE_ROUTES[name]?.(callers(), callers().member)) ?? {};
    return callers().member.send(name.split(' ')[0] ?? '', path, body);
  };
  return {
    'GET /api/account/chat-accounts 200': async () => {
      await connected(callers(), callers().member);
      return callers().member.get('/api/account/chat-accounts');
    },
    'POST /api/account/chat-accounts 201': () => prepared('POST /api/account/chat-accounts'),
    'POST /api/account/chat-accounts/offer 200': () => prepared('POST /api/account/chat-accounts/offer'),
    'DELETE /api/account/chat-accounts/{id} 204': () => prepared('DELETE /api/account/chat-accounts/:id'),
    'POST /api/chat/mattermost 200': async () => {
      const { server, admin } = callers();
      return server.anonymous().send('POST', '/api/chat/mattermost', await pressed(server, admin));
    },
    // What concerns nobody here, such as a link that was opened.
    'POST /api/chat/slack 204': () =>
      callers()
        .server.anonymous()
        .post(
          '',
          String(new URLSearchParams({ payload: '{"type":"block_actions"}' })),
          { 'Content-Type': 'application/x-www-form-urlencoded' },
          '/api/chat/slack',
        ),
  };
}
