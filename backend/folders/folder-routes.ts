import { folderIdParamsSchema, newFolderSchema } from '#backend/contract/folder.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { type FolderCommandNeeds, createFolder, deleteFolder } from './folder-commands.ts';
import { findFolders } from './folder-store.ts';
import { presentFolder } from './present-folder.ts';

/** Listing, making and deleting a member's own folders (spec.md section 7). */
export function folderRoutes(needs: FolderCommandNeeds): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/folders',
      who: 'member',
      handle: async ({ actor }) => {
        const folders = await findFolders(needs.database.reads, actor.id);
        return ok(folders.map(({ folder, alertCount }) => presentFolder(folder, alertCount)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/folders',
      who: 'member',
      body: newFolderSchema,
      handle: async ({ actor, body }) => created(await createFolder(needs, actor, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/folders/:id',
      who: 'member',
      params: folderIdParamsSchema,
      handle: async ({ actor, params }) => {
        await deleteFolder(needs, actor, params.id);
        return noContent();
      },
    }),
  ];
}
