import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { liveEventSchema } from '#backend/contract/live-event.ts';
import { customerSchema } from '#backend/contract/mute.ts';
import { pushSubscriptionSchema } from '#backend/contract/push.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { disableOwner, sharedAlertCalls } from '#tests/support/shared-alert-calls.ts';
import { noticeCalls, noticesOf } from '#tests/support/notice-calls.ts';
import { chatCalls } from '#tests/support/chat-calls.ts';
import { outgoingCalls } from '#tests/support/outgoing-calls.ts';
import { silenceCalls } from '#tests/support/silence-calls.ts';
import { notificationCalls } from '#tests/support/notification-calls.ts';
import { countView, viewCalls } from '#tests/support/view-calls.ts';
import { triageCalls } from '#tests/support/triage-calls.ts';
import { accountCalls } from '#tests/support/account-calls.ts';
import { type OidcWorld, oidcAnswers, startOidcWorld } from '#tests/support/oidc-answers.ts';
import { secondStepAnswers } from '#tests/support/second-step-answers.ts';
import { tokenCalls } from '#tests/support/token-calls.ts';
import { sourceCalls } from '#tests/support/source-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let apiKey: string;
let oidc: OidcWorld;
beforeAll(async () => {
  server = await startTestServer();
  oidc = await startOidcWorld();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await oidc.stop();
  await server.destroy();
});

let last = 0;
const next = () => `${(last += 1)}`;
const newAlert = async () =>
  (await member.postAlert(apiKey, { customer: 'Nordwind', type: 'disk.full', n: next() })).id;
const myAlert = async () => {
  const id = await newAlert();
  await member.send('POST', `/api/alerts/${id}/accept`);
  return id;
};
/** Two customers and two types are known. */
const twoNames = async () => {
  await newAlert();
  await member.postAlert(apiKey, { customer: 'Atlas', type: 'order.failed' });
};
const newFolder = async () => {
  const response = await member.send('POST', '/api/folders', { name: `Folder ${next()}`, color: 'blue' });
  return folderSchema.parse(await response.json()).id;
};
const filedAlert = async (folderId: string) => {
  const id = await myAlert();
  await member.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
  return id;
};
/** A folder with two alerts in it, so that a page of one has a next. */
const fullFolder = async () => {
  const id = await newFolder();
  await filedAlert(id);
  await filedAlert(id);
  return id;
};
const twice = async (make: () => Promise<unknown>) => [await make(), await make()];
const aCustomer = async () => {
  await newAlert();
  const [customer] = z.array(customerSchema).parse(await (await member.get('/api/customers')).json());
  return customer?.id ?? '';
};
const newKey = async () =>
  createdApiKeySchema.parse(await (await admin.send('POST', '/api/api-keys', { name: `Key ${next()}` })).json()).id;
const subscription = () => ({
  endpoint: `https://push.example.com/${randomBytes(16).toString('base64url')}`,
  keys: makeBrowserKeys().keys,
});

/**
 * Every success that the document promises, with a call that gets it. Lists hold something, and pages have a next one.
 * A new endpoint gets a row for each status that it declares.
 */
const CALLS: Record<string, () => Promise<Response>> = {
  'POST /webhook 202': () => member.post(apiKey, { customer: 'Nordwind' }),
  'POST /api/webhook/test 202': () => admin.send('POST', '/api/webhook/test'),
  'GET /healthz 200': () => member.get('/healthz'),
  'GET /readyz 200': () => member.get('/readyz'),
  'GET /metrics 200': () => member.get('/metrics'),
  'GET /api/product 200': () => member.get('/api/product'),
  'GET /api/latency 200': () => admin.get('/api/latency'),
  'POST /api/csp-reports 204': () => server.anonymous().send('POST', '/api/csp-reports', []),
  'GET /api/openapi.json 200': () => member.get('/api/openapi.json'),
  'GET /api/docs 200': () => member.get('/api/docs'),
  ...accountCalls(() => ({ server, admin, member, newKey, next })),
  ...oidcAnswers(() => oidc),
  ...secondStepAnswers(() => ({ server, admin })),
  ...tokenCalls(() => admin),
  ...sourceCalls(() => ({ admin, member, newKey })),
  'GET /api/audit 200': async () => {
    await twice(newKey);
    return admin.get('/api/audit?limit=1');
  },

  'GET /api/alerts/inbox 200': async () => {
    await twice(newAlert);
    return member.get('/api/alerts/inbox?limit=1');
  },
  'GET /api/alerts/mine 200': async () => {
    await twice(myAlert);
    return member.get('/api/alerts/mine?limit=1&sort=status');
  },
  'GET /api/alerts/folder/{id} 200': async () => member.get(`/api/alerts/folder/${await fullFolder()}?limit=1`),
  'GET /api/alerts/all-folders 200': async () => {
    await fullFolder();
    return member.get('/api/alerts/all-folders?limit=1');
  },
  'GET /api/alerts/all 200': async () => {
    await twice(newAlert);
    return admin.get('/api/alerts/all?limit=1');
  },
  'GET /api/alerts/stats 200': () => admin.get('/api/alerts/stats'),
  'GET /api/alerts/facets 200': async () => {
    await newAlert();
    return member.get('/api/alerts/facets?list=inbox');
  },
  'GET /api/alerts/progress 200': () => member.get('/api/alerts/progress?list=mine&since=2026-01-01T00:00:00Z'),
  'GET /api/alerts/severities 200': async () => {
    await newAlert();
    return member.get('/api/alerts/severities?list=inbox');
  },
  'GET /api/alerts/{id} 200': async () => member.get(`/api/alerts/${await myAlert()}`),
  'GET /api/alerts/{id}/history 200': async () => {
    const id = await filedAlert(await newFolder());
    await member.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
    await member.send('POST', `/api/alerts/${id}/unaccept`);
    return member.get(`/api/alerts/${id}/history?limit=1`);
  },
  ...sharedAlertCalls(() => ({ member, colleague: admin, newAlert })),
  ...triageCalls(() => ({ member, newAlert })),
  'POST /api/alerts/{id}/unaccept 200': async () => member.send('POST', `/api/alerts/${await myAlert()}/unaccept`),
  'PATCH /api/webhooks/{id}/status 200': async () =>
    member.send('PATCH', `/api/webhooks/${await myAlert()}/status`, { status: 'in-progress' }),
  'PATCH /api/webhooks/{id}/move 200': async () =>
    member.send('PATCH', `/api/webhooks/${await myAlert()}/move`, { folderId: await newFolder() }),
  'GET /api/folders 200': async () => {
    await newFolder();
    return member.get('/api/folders');
  },
  'POST /api/folders 201': async () =>
    member.send('POST', '/api/folders', { name: 'Inside', color: 'red', parentId: await newFolder() }),
  'DELETE /api/folders/{id} 204': async () => member.send('DELETE', `/api/folders/${await fullFolder()}`),
  ...viewCalls(() => ({ member, colleague: admin })),
  ...noticeCalls(() => ({ server, admin, member })),
  ...outgoingCalls(() => ({ server, admin })),
  ...chatCalls(() => ({ server, admin, member })),
  ...silenceCalls(() => ({ server, admin })),
  'GET /api/customers 200': async () => {
    await twoNames();
    return member.get('/api/customers?limit=1');
  },
  'GET /api/customer-mutes 200': async () => {
    await twoNames();
    await member.send('POST', '/api/customer-mutes/bulk', { muted: true });
    return member.get('/api/customer-mutes?limit=1');
  },
  'GET /api/customer-mutes/names 200': async () => {
    await twoNames();
    await member.send('POST', '/api/customer-mutes/bulk', { muted: true });
    return member.get('/api/customer-mutes/names?limit=1');
  },
  'POST /api/customer-mutes 201': async () =>
    member.send('POST', '/api/customer-mutes', { customerId: await aCustomer() }),
  'POST /api/customer-mutes/bulk 200': async () => {
    await newAlert();
    return member.send('POST', '/api/customer-mutes/bulk', { muted: true });
  },
  'DELETE /api/customer-mutes/{customerId} 204': async () =>
    member.send('DELETE', `/api/customer-mutes/${await aCustomer()}`),
  'GET /api/alert-types 200': async () => {
    await twoNames();
    return member.get('/api/alert-types?limit=1');
  },
  'GET /api/alert-types/mutes 200': async () => {
    await twoNames();
    await member.send('POST', '/api/alert-types/mutes/bulk', { muted: true });
    return member.get('/api/alert-types/mutes?limit=1');
  },
  'POST /api/alert-types/mutes 201': async () => {
    await newAlert();
    return member.send('POST', '/api/alert-types/mutes', { alertType: 'disk.full' });
  },
  'POST /api/alert-types/mutes/bulk 200': async () => {
    await newAlert();
    return member.send('POST', '/api/alert-types/mutes/bulk', { muted: true });
  },
  'DELETE /api/alert-types/mutes/{alertType} 204': () => member.send('DELETE', '/api/alert-types/mutes/disk.full'),
  'DELETE /api/alert-types/mutes 204': () => member.send('DELETE', '/api/alert-types/mutes?alertType=disk.full'),

  ...notificationCalls({ member: () => member, newAlert, aCustomer }),

  'GET /api/push/vapid-public-key 200': () => member.get('/api/push/vapid-public-key'),
  'POST /api/push/subscribe 201': () => member.send('POST', '/api/push/subscribe', subscription()),
  'POST /api/push/subscribe 200': async () => {
    const again = subscription();
    await member.send('POST', '/api/push/subscribe', again);
    return member.send('POST', '/api/push/subscribe', again);
  },
  'DELETE /api/push/subscribe 204': async () => {
    const { endpoint, keys } = subscription();
    await member.send('POST', '/api/push/subscribe', { endpoint, keys });
    return member.send('DELETE', '/api/push/subscribe', { endpoint });
  },
  'GET /api/push/subscriptions 200': async () => {
    await member.send('POST', '/api/push/subscribe', subscription());
    return member.get('/api/push/subscriptions');
  },
  'DELETE /api/push/subscriptions/{id} 204': async () => {
    const response = await member.send('POST', '/api/push/subscribe', subscription());
    const { id } = pushSubscriptionSchema.parse(await response.json());
    return member.send('DELETE', `/api/push/subscriptions/${id}`);
  },
  'POST /api/push/test 200': async () => {
    const { endpoint, keys } = subscription();
    await member.send('POST', '/api/push/subscribe', { endpoint, keys });
    return member.send('POST', '/api/push/test', { endpoint });
  },
};

test('every success that the document promises has its call in the table', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(server.checker.promised.toSorted());
});

// The client compares each of them with the document: status, headers, media type, body.
test.each(Object.entries(CALLS))('%s is as documented', async (name, call) => {
  const response = await call();
  expect(`${name.replace(/\d+$/, '')}${response.status}`).toBe(name);
  expect([...server.checker.met, ...oidc.server.checker.met]).toContain(name);
  expect(await response.text()).not.toBe('[]');
  const [method = '', path = ''] = name.split(' ');
  const declared = server.endpoints.find(
    (one) => one.method === method && one.path.replaceAll(/:(\w+)/g, '{$1}') === path,
  );
  const missing = (declared?.responseHeaders ?? []).filter((header) => !response.headers.has(header));
  // Searches alone stop counting, and only in lists much longer than these.
  expect(missing.filter((header) => header !== 'X-Total-Count-Relation')).toEqual([]);
});
test('every live event is as documented, alone and in an array', async () => {
  const alone = await listenLive(member, '/ws?places=1');
  const batched = await listenLive(member, '/ws?batch=1&places=1');
  await countView(member);
  const folder = await newFolder();
  await filedAlert(folder);
  await member.send('DELETE', `/api/folders/${folder}`);
  const id = await filedAlert(await newFolder());
  const colleague = await listenLive(admin);
  colleague.socket.send(JSON.stringify({ type: 'looking', alertId: id }));
  await expect.poll(() => alone.events.some(({ type }) => type === 'looking_changed')).toBe(true);
  await member.send('POST', `/api/alerts/${id}/unaccept`);
  await member.send('DELETE', `/api/webhooks/${id}`);
  await disableOwner({ leaver: await server.signedIn(), admin, newAlert });
  await admin.send('POST', `/api/alerts/${await newAlert()}/notes`, { text: 'Look', mentions: [member.id] });
  await member.send('PATCH', '/api/notices', { ids: (await noticesOf(member)).map((one) => one.id), isRead: true });
  await member.send('PATCH', '/api/notification-settings', { pausedUntil: null });
  await member.send('PATCH', '/api/auth/profile', { timeFormat: '24h' });
  await member.send('DELETE', `/api/folders/${await fullFolder()}`);
  await outgoingCalls(() => ({ server, admin }))['POST /api/alerts/{id}/ladders/{runId}/stop 204']?.();
  await outgoingCalls(() => ({ server, admin }))['POST /api/maintenance/windows 201']?.();
  await outgoingCalls(() => ({ server, admin }))['POST /api/heartbeats 201']?.();
  const types = liveEventSchema.def.options.map((option) => option.shape.type.def.values[0]);
  const forAdministrators = ['source_changed', 'members_changed', 'outgoing_changed', 'rules_changed'] as const;
  for (const { events } of [alone, batched]) {
    await expect
      .poll(() => [...new Set(events.map(({ type }) => type))].toSorted())
      .toEqual(types.filter((type) => !forAdministrators.some((other) => other === type)).toSorted());
  }
  const administrators = await listenLive(admin, '/ws');
  await admin.send('POST', '/api/api-keys', { name: `Key ${next()}` });
  await outgoingCalls(() => ({ server, admin }))['POST /api/outgoing/destinations 201']?.();
  await outgoingCalls(() => ({ server, admin }))['POST /api/rules 201']?.();
  await admin.send('PATCH', '/api/auth/profile', { timeFormat: '24h' });
  for (const type of forAdministrators) {
    await expect.poll(() => administrators.events.map((event) => event.type)).toContain(type);
  }
  for (const frame of administrators.frames) server.checker.checkEntity('LiveEvent', frame);
  administrators.socket.close();
  for (const frame of alone.frames) server.checker.checkEntity('LiveEvent', frame);
  for (const frame of batched.frames) server.checker.checkEntity('LiveFrame', frame);
  for (const { socket } of [alone, batched, colleague]) socket.close();
  await Promise.all([alone.closed, batched.closed, colleague.closed, administrators.closed]);
});
