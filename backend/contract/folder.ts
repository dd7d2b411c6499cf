import * as z from 'zod/mini';
import { nameSchema } from './name.ts';

/** The six folder colours. */
export const folderColorSchema = z.enum(['purple', 'blue', 'green', 'yellow', 'red', 'pink']);
export type FolderColor = z.infer<typeof folderColorSchema>;

/** Most folders of one member. */
export const MAX_FOLDERS = 500;

/** How many folders stand below one another at most, the outermost included. */
export const MAX_FOLDER_DEPTH = 32;

/**
 * A member's own folder. `alertCount` is the number of its alerts that are not completed, for the badge in the
 * sidebar; alerts in its subfolders count there.
 */
export const folderSchema = z.object({
  id: z.string(),
  name: z.string(),
  color: folderColorSchema,
  icon: z.string(),
  order: z.int(),
  parentId: z.optional(z.string()),
  alertCount: z.int().check(z.nonnegative()),
});
export type Folder = z.infer<typeof folderSchema>;

/** Answer of `GET /api/folders`: the whole tree, flat, by order and then age. */
export const folderListSchema = z.array(folderSchema);

/** Body of `POST /api/folders`: a name of 1–100 characters after trimming, one of the colours. */
export const newFolderSchema = z.object({
  name: nameSchema,
  color: folderColorSchema,
  icon: z._default(z.string().check(z.maxLength(40)), 'folder'),
  order: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
  parentId: z.optional(z.uuid()),
});
export type NewFolder = z.infer<typeof newFolderSchema>;

/** Path parameter of the calls on one folder. */
export const folderIdParamsSchema = z.object({ id: z.uuid() });

/** Body of `PATCH /api/webhooks/{id}/move`: a folder of the member's own, or `null` to take the alert out of its folder. */
export const alertMoveSchema = z.object({ folderId: z.nullable(z.uuid()) });
