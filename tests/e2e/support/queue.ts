import * as z from 'zod/mini';
import { alertSchema } from '#backend/contract/alert.ts';
import { type Folder, type FolderColor, folderListSchema, folderSchema } from '#backend/contract/folder.ts';
import type { SignedInClient } from '#scripts/demo/signed-in-client.ts';
import type { Person } from './accounts.ts';
import type { AppServer } from './app-server.ts';

/** Somebody's alerts and folders, as a test sets them up behind the screen. */
export interface Queue {
  client: SignedInClient;
  /** Posts an alert and accepts it. Returns its id. */
  accept(body: unknown): Promise<string>;
  setStatus(alertId: string, status: 'accepted' | 'in-progress' | 'completed'): Promise<void>;
  /** Makes a folder. Returns its id. */
  folder(name: string, more?: { color?: FolderColor; parentId?: string }): Promise<string>;
  file(alertId: string, folderId: string | null): Promise<void>;
  folders(): Promise<Folder[]>;
  /** Ids of the alerts in My Alerts, newest first. */
  mine(): Promise<string[]>;
}

/** Signs the person in beside their browser. */
export async function queueOf(app: AppServer, person: Person): Promise<Queue> {
  const client = await app.signIn(person);
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await client.request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    client,
    async accept(body) {
      const id = await app.post(body);
      await call('POST', `/api/alerts/${id}/accept`);
      return id;
    },
    async setStatus(alertId, status) {
      await call('PATCH', `/api/webhooks/${alertId}/status`, { status });
    },
    async folder(name, { color = 'blue', parentId } = {}) {
      const response = await call('POST', '/api/folders', { name, color, ...(parentId && { parentId }) });
      return folderSchema.parse(await response.json()).id;
    },
    async file(alertId, folderId) {
      await call('PATCH', `/api/webhooks/${alertId}/move`, { folderId });
    },
    folders: async () => folderListSchema.parse(await (await call('GET', '/api/folders')).json()),
    mine: async () =>
      z
        .array(alertSchema)
        .parse(await (await call('GET', '/api/alerts/mine')).json())
        .map(({ id }) => id),
  };
}

/** One alert of each status, the newest one completed. */
export async function oneOfEach(app: AppServer): Promise<void> {
  await app.post({ customer: 'Waiting Ltd', link: 'https://status.example/incident-7', note: 'pending one' });
  for (const [customer, next] of [
    ['Accepted Ltd', undefined],
    ['Working Ltd', 'in-progress'],
    ['Done Ltd', 'completed'],
  ] as const) {
    const id = await app.post({ customer, note: `of ${customer}` });
    await app.admin.request('POST', `/api/alerts/${id}/accept`);
    if (next) await app.admin.request('PATCH', `/api/webhooks/${id}/status`, { status: next });
  }
}
