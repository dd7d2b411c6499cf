import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { folderIdParamsSchema, folderListSchema, folderSchema, newFolderSchema } from '#backend/contract/folder.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { createFolder, deleteFolder } from './folder-commands.ts';
import { findFolders, presentFolder } from '#backend/alerts/alert/folder.ts';

/** List, create and delete a member's own folders. */
export function folderRoutes(context: { database: Database; logger: Logger }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/folders',
      tag: 'folders',
      summary: 'Lists the member’s folders: the whole tree, flat.',
      access: 'member',
      responses: { 200: folderListSchema },
      handle: async ({ actor }) => {
        const folders = await findFolders(context.database.reads, actor.id);
        return ok(folders.map(({ folder, alertCount }) => presentFolder(folder, alertCount)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/folders',
      tag: 'folders',
      summary: 'Makes a folder of the member’s own.',
      access: 'member',
      body: newFolderSchema,
      responses: { 201: folderSchema },
      errors: [404, 409],
      handle: async ({ actor, body }) => created(await createFolder(context, actor, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/folders/:id',
      tag: 'folders',
      summary: 'Deletes a folder; its alerts return to My Alerts, its subfolders move up.',
      access: 'member',
      params: folderIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, params }) => {
        await deleteFolder(context, actor, params.id);
        return noContent();
      },
    }),
  ];
}
