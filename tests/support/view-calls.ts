import { type View, viewSchema } from '#backend/contract/view.ts';
import type { TestClient } from './test-client.ts';

/** A view of the member's own. */
export async function newView(member: TestClient): Promise<View> {
  const response = await member.send('POST', '/api/views', {
    name: crypto.randomUUID(),
    list: 'inbox',
    search: 'severity:critical',
  });
  return viewSchema.parse(await response.json());
}

/** Has a new view of all of the inbox counted, and the member notified of each alert in it. */
export async function countView(member: TestClient): Promise<void> {
  await member.send('POST', '/api/views', { name: crypto.randomUUID(), list: 'inbox', notify: 'always' });
  await member.get('/api/views');
}

/** Calls of views for the table of every success. */
export const viewCalls = (
  world: () => { member: TestClient; colleague: TestClient },
): Record<string, () => Promise<Response>> => ({
  'GET /api/views 200': async () => {
    const { member } = world();
    await newView(member);
    return member.get('/api/views?timeZone=Europe/Berlin');
  },
  'POST /api/views 201': async () => {
    const view = { name: crypto.randomUUID(), list: 'all', isShared: true, sort: 'severity' };
    return world().colleague.send('POST', '/api/views', view);
  },
  'PUT /api/views/order 204': async () => {
    const { member } = world();
    const { id } = await newView(member);
    return member.send('PUT', '/api/views/order', { isShared: false, ids: [id] });
  },
  'PATCH /api/views/{id} 200': async () => {
    const { member } = world();
    const { id, version } = await newView(member);
    return member.send('PATCH', `/api/views/${id}`, { version, search: 'disk' });
  },
  'PUT /api/views/{id}/notify 204': async () => {
    const { member } = world();
    const { id } = await newView(member);
    return member.send('PUT', `/api/views/${id}/notify`, { notify: 'always', timeZone: 'Europe/Berlin' });
  },
  'DELETE /api/views/{id} 204': async () => {
    const { member } = world();
    return member.send('DELETE', `/api/views/${(await newView(member)).id}`);
  },
});
