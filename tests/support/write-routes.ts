import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { createdApiTokenSchema, createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { noteSchema } from '#backend/contract/note.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { makeBrowserKeys } from './browser-keys.ts';
import { importTo } from './insert-alerts.ts';
import { LINK_WRITE_ROUTES } from './link-write-routes.ts';
import { MEMBER_WRITE_ROUTES } from './member-write-routes.ts';
import { NOTICE_WRITE_ROUTES } from './notice-calls.ts';
import { CHAT_WRITE_ROUTES } from './chat-calls.ts';
import { EXCEPTION_WRITE_ROUTES } from './notification-calls.ts';
import { OUTGOING_WRITE_ROUTES } from './outgoing-calls.ts';
import { TRIED_SOURCE_ROUTES, newestDelivery } from './source-calls.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';
import { newView } from './view-calls.ts';

/** A server with an alert of the customer Nordwind and the type "disk" on it, and an administrator beside. */
export interface WriteWorld {
  server: TestServer;
  admin: TestClient;
  apiKey: string;
  customerId: string;
}

/** A request that succeeds for the administrator who makes it. */
export interface WriteRequest {
  path: string;
  body?: unknown;
}

const NEW_TOKEN = { name: 'A token', scope: 'triage', expiresInDays: null };

/** Makes a request to a route that succeeds for the member. */
export type Prepare = (world: WriteWorld, member: TestClient) => Promise<WriteRequest>;

/** Fills a world. */
export async function createWriteWorld(server: TestServer): Promise<WriteWorld> {
  const admin = await server.signedIn({ role: 'admin' });
  const { plainKey: apiKey } = await newApiKey({ admin });
  await inboxAlert({ admin, apiKey });
  const [customer] = (await (await must(admin.get('/api/customers'))).json()) as { id: string }[];
  return { server, admin, apiKey, customerId: customer?.id ?? '' };
}

/** The answer, when it is a success. */
export async function must(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** A new API key with its id. */
export const newApiKey = async ({ admin }: Pick<WriteWorld, 'admin'>) =>
  createdApiKeySchema.parse(await (await must(admin.send('POST', '/api/api-keys', { name: 'A key' }))).json());

/** A new source with its secrets. */
export const newSource = async ({ admin }: Pick<WriteWorld, 'admin'>) =>
  sourceWithSecretsSchema.parse(
    await (await must(admin.send('POST', '/api/sources', { name: crypto.randomUUID() }))).json(),
  );

/** A source with a delivery in its log. */
const deliveredSource = async (world: Pick<WriteWorld, 'admin'>) => {
  const { source, plain } = await newSource(world);
  await world.admin.postAlert(plain.key ?? '', { customer: 'Nordwind' });
  const deliveryId = await newestDelivery(world.admin, source.id, 1);
  return { source, deliveryId };
};

const inboxAlert = async ({ admin, apiKey }: Pick<WriteWorld, 'admin' | 'apiKey'>) =>
  (await admin.postAlert(apiKey, { customer: 'Nordwind', type: 'disk' })).id;
const ownAlert = async (world: WriteWorld, member: TestClient) => {
  const id = await inboxAlert(world);
  await must(member.send('POST', `/api/alerts/${id}/accept`));
  return id;
};
/** The path of a note of the member's own. */
const ownNote = async (world: WriteWorld, member: TestClient) => {
  const path = `/api/alerts/${await inboxAlert(world)}/notes`;
  const note = noteSchema.parse(await (await must(member.send('POST', path, { text: 'Seen' }))).json());
  return `${path}/${note.id}`;
};
const newSubscription = () => ({
  endpoint: `https://push.example.com/${crypto.randomUUID()}`,
  keys: makeBrowserKeys().keys,
});
const subscribed = async (member: TestClient) => {
  const subscription = newSubscription();
  await must(member.send('POST', '/api/push/subscribe', subscription));
  return subscription.endpoint;
};
const newFolder = () => ({ name: crypto.randomUUID(), color: 'red' });
const ownFolder = async (member: TestClient) =>
  folderSchema.parse(await (await must(member.send('POST', '/api/folders', newFolder()))).json()).id;

/** Every route on which a signed-in member changes something, with a request to it that succeeds. */
export const WRITE_ROUTES: Record<string, Prepare> = {
  'POST /api/auth/logout': async () => ({ path: '/api/auth/logout' }),
  'POST /api/exports': async () => ({
    path: '/api/exports',
    body: { what: 'alerts', filter: '', format: 'csv', rows: 1 },
  }),
  'PATCH /api/auth/profile': async () => ({ path: '/api/auth/profile', body: { displayName: crypto.randomUUID() } }),
  'POST /api/auth/password': async () => ({
    path: '/api/auth/password',
    body: { currentPassword: 'correct horse', newPassword: 'battery staple' },
  }),
  'DELETE /api/auth/sessions': async ({ server }, member) => {
    await server.anonymous().signIn(member.session?.email ?? '', 'correct horse');
    return { path: '/api/auth/sessions' };
  },
  'DELETE /api/auth/sessions/:id': async ({ server }, member) => {
    await server.anonymous().signIn(member.session?.email ?? '', 'correct horse');
    const listed = (await (await must(member.get('/api/auth/sessions'))).json()) as {
      id: string;
      isCurrent: boolean;
    }[];
    return { path: `/api/auth/sessions/${listed.find(({ isCurrent }) => !isCurrent)?.id}` };
  },
  ...LINK_WRITE_ROUTES,
  ...MEMBER_WRITE_ROUTES,
  ...NOTICE_WRITE_ROUTES,
  ...TRIED_SOURCE_ROUTES,
  ...EXCEPTION_WRITE_ROUTES,
  ...OUTGOING_WRITE_ROUTES,
  ...CHAT_WRITE_ROUTES,
  'POST /api/auth/users': async () => ({
    path: '/api/auth/users',
    body: { email: `${crypto.randomUUID()}@example.com`, displayName: 'New', password: 'correct horse', role: 'admin' },
  }),
  'PATCH /api/auth/users/:id/toggle-active': async ({ server }) => ({
    path: `/api/auth/users/${(await server.addUser()).id}/toggle-active`,
  }),
  'POST /api/auth/users/:id/reset-password': async ({ server }) => ({
    path: `/api/auth/users/${(await server.addUser()).id}/reset-password`,
    body: { newPassword: 'something new' },
  }),
  'POST /api/auth/tokens': async () => ({ path: '/api/auth/tokens', body: NEW_TOKEN }),
  'DELETE /api/auth/tokens/:id': async (_world, member) => {
    const { id } = createdApiTokenSchema.parse(
      await (await must(member.send('POST', '/api/auth/tokens', NEW_TOKEN))).json(),
    );
    return { path: `/api/auth/tokens/${id}` };
  },
  'POST /api/service-tokens': async () => ({ path: '/api/service-tokens', body: { ...NEW_TOKEN, role: 'user' } }),
  'DELETE /api/service-tokens/:id': async ({ admin }) => {
    const body = { ...NEW_TOKEN, role: 'user' };
    const { id } = createdServiceTokenSchema.parse(
      await (await must(admin.send('POST', '/api/service-tokens', body))).json(),
    );
    return { path: `/api/service-tokens/${id}` };
  },
  'POST /api/auth/users/:id/hand-over': async ({ server, admin, apiKey }) => {
    const [giver, taker] = [await server.signedIn(), await server.addUser()];
    const alertId = await inboxAlert({ admin, apiKey });
    await must(giver.send('POST', `/api/alerts/${alertId}/accept`));
    return { path: `/api/auth/users/${giver.id}/hand-over`, body: { userId: taker.id } };
  },
  'POST /api/api-keys': async () => ({ path: '/api/api-keys', body: { name: 'A key' } }),
  'DELETE /api/api-keys/:id': async (world) => ({ path: `/api/api-keys/${(await newApiKey(world)).id}` }),
  'POST /api/sources': async () => ({ path: '/api/sources', body: { name: crypto.randomUUID() } }),
  'PATCH /api/sources/:id': async (world) => ({
    path: `/api/sources/${(await newSource(world)).source.id}`,
    body: { isPaused: true },
  }),
  'DELETE /api/sources/:id': async (world) => ({ path: `/api/sources/${(await newSource(world)).source.id}` }),
  'POST /api/sources/:id/import': async (world) => importTo((await newSource(world)).source.id),
  'POST /api/sources/:id/rotate': async (world) => ({
    path: `/api/sources/${(await newSource(world)).source.id}/rotate`,
    body: { kind: 'key' },
  }),
  'POST /api/sources/:id/signing-secrets': async (world) => ({
    path: `/api/sources/${(await newSource(world)).source.id}/signing-secrets`,
    body: { secret: 'It is a secret to everybody' },
  }),
  'DELETE /api/sources/:id/secrets/:secretId': async (world) => {
    const { source } = await newSource(world);
    const old = source.secrets.find(({ kind }) => kind === 'key');
    await must(world.admin.send('POST', `/api/sources/${source.id}/rotate`, { kind: 'key' }));
    return { path: `/api/sources/${source.id}/secrets/${old?.id}` };
  },
  'POST /api/sources/:id/replay': async (world) => {
    const { source, deliveryId } = await deliveredSource(world);
    return { path: `/api/sources/${source.id}/replay`, body: { ids: [deliveryId] } };
  },
  'POST /api/deliveries/:id/replay': async (world) => ({
    path: `/api/deliveries/${(await deliveredSource(world)).deliveryId}/replay`,
    body: { notify: true },
  }),
  'POST /api/sources/:id/test': async (world) => ({
    path: `/api/sources/${(await newSource(world)).source.id}/test`,
  }),
  'POST /api/webhook/test': async () => ({ path: '/api/webhook/test' }),
  'POST /api/alerts/:id/assign': async (world, member) => ({
    path: `/api/alerts/${await ownAlert(world, member)}/assign`,
    body: { userId: world.admin.id },
  }),
  'POST /api/alerts/hand-over': async (world, member) => {
    await ownAlert(world, member);
    return { path: '/api/alerts/hand-over', body: { userId: (await world.server.addUser()).id } };
  },
  'POST /api/alerts/bulk': async (world) => ({
    path: '/api/alerts/bulk',
    body: { action: 'accept', ids: [await inboxAlert(world)] },
  }),
  'POST /api/alerts/:id/accept': async (world) => ({ path: `/api/alerts/${await inboxAlert(world)}/accept` }),
  'POST /api/alerts/:id/snooze': async (world) => ({
    path: `/api/alerts/${await inboxAlert(world)}/snooze`,
    body: { minutes: 30 },
  }),
  'POST /api/alerts/:id/wake': async (world) => ({ path: `/api/alerts/${await inboxAlert(world)}/wake` }),
  'POST /api/alerts/:id/unaccept': async (world, member) => ({
    path: `/api/alerts/${await ownAlert(world, member)}/unaccept`,
  }),
  'PATCH /api/webhooks/:id/status': async (world, member) => ({
    path: `/api/webhooks/${await ownAlert(world, member)}/status`,
    body: { status: 'completed' },
  }),
  'PATCH /api/webhooks/:id/move': async (world, member) => ({
    path: `/api/webhooks/${await ownAlert(world, member)}/move`,
    body: { folderId: await ownFolder(member) },
  }),
  'DELETE /api/webhooks/:id': async (world) => ({ path: `/api/webhooks/${await inboxAlert(world)}` }),
  'POST /api/alerts/:id/notes': async (world) => ({
    path: `/api/alerts/${await inboxAlert(world)}/notes`,
    body: { text: 'Seen' },
  }),
  'PATCH /api/alerts/:id/notes/:noteId': async (world, member) => ({
    path: await ownNote(world, member),
    body: { text: 'Seen again' },
  }),
  'DELETE /api/alerts/:id/notes/:noteId': async (world, member) => ({ path: await ownNote(world, member) }),
  'POST /api/folders': async () => ({ path: '/api/folders', body: newFolder() }),
  'DELETE /api/folders/:id': async (_world, member) => ({ path: `/api/folders/${await ownFolder(member)}` }),
  'POST /api/views': async () => ({ path: '/api/views', body: { name: crypto.randomUUID(), list: 'inbox' } }),
  'PUT /api/views/order': async (_world, member) => ({
    path: '/api/views/order',
    body: { isShared: false, ids: [(await newView(member)).id] },
  }),
  'PATCH /api/views/:id': async (_world, member) => {
    const { id, version } = await newView(member);
    return { path: `/api/views/${id}`, body: { version, name: crypto.randomUUID() } };
  },
  'PUT /api/views/:id/notify': async (_world, member) => ({
    path: `/api/views/${(await newView(member)).id}/notify`,
    body: { notify: 'never' },
  }),
  'DELETE /api/views/:id': async (_world, member) => ({ path: `/api/views/${(await newView(member)).id}` }),
  'POST /api/customer-mutes': async ({ customerId }) => ({ path: '/api/customer-mutes', body: { customerId } }),
  'POST /api/customer-mutes/bulk': async () => ({ path: '/api/customer-mutes/bulk', body: { muted: true } }),
  'DELETE /api/customer-mutes/:customerId': async ({ customerId }, member) => {
    await must(member.send('POST', '/api/customer-mutes', { customerId }));
    return { path: `/api/customer-mutes/${customerId}` };
  },
  'POST /api/source-mutes': async (world) => ({
    path: '/api/source-mutes',
    body: { sourceId: (await newSource(world)).source.id },
  }),
  'POST /api/source-mutes/bulk': async () => ({ path: '/api/source-mutes/bulk', body: { muted: true } }),
  'DELETE /api/source-mutes/:sourceId': async (world, member) => {
    const sourceId = (await newSource(world)).source.id;
    await must(member.send('POST', '/api/source-mutes', { sourceId }));
    return { path: `/api/source-mutes/${sourceId}` };
  },
  'PATCH /api/notification-settings': async () => ({
    path: '/api/notification-settings',
    body: { pausedUntil: new Date(Date.now() + 60_000).toISOString() },
  }),
  'PUT /api/notification-settings/sounds': async () => ({
    path: '/api/notification-settings/sounds',
    body: { alertType: 'disk', sound: 'chime' },
  }),
  'POST /api/push/subscribe': async () => ({ path: '/api/push/subscribe', body: newSubscription() }),
  'DELETE /api/push/subscribe': async (_world, member) => ({
    path: '/api/push/subscribe',
    body: { endpoint: await subscribed(member) },
  }),
  'DELETE /api/push/subscriptions/:id': async (_world, member) => {
    await subscribed(member);
    const [device] = (await (await must(member.get('/api/push/subscriptions'))).json()) as { id: string }[];
    return { path: `/api/push/subscriptions/${device?.id}` };
  },
  'POST /api/push/test': async (_world, member) => ({
    path: '/api/push/test',
    body: { endpoint: await subscribed(member) },
  }),
  'POST /api/alert-types/mutes': async () => ({ path: '/api/alert-types/mutes', body: { alertType: 'disk' } }),
  'POST /api/alert-types/mutes/bulk': async () => ({ path: '/api/alert-types/mutes/bulk', body: { muted: true } }),
  'DELETE /api/alert-types/mutes': async (_world, member) => {
    await must(member.send('POST', '/api/alert-types/mutes', { alertType: 'disk' }));
    return { path: '/api/alert-types/mutes?alertType=disk' };
  },
  'DELETE /api/alert-types/mutes/:alertType': async (_world, member) => {
    await must(member.send('POST', '/api/alert-types/mutes', { alertType: 'disk' }));
    return { path: '/api/alert-types/mutes/disk' };
  },
};
