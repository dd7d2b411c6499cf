import type { AppContext } from '#backend/context.ts';
import { newId } from '#backend/database/ids.ts';
import { lockUser } from '#backend/accounts/user.ts';
import { releaseFolder } from '#backend/alerts/alert-store.ts';
import type { Folder, NewFolder } from '#backend/contract/folder.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { conflict, notFound } from '#backend/endpoint/errors.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { FolderEntity, type StoredFolder, findFolder, lockFolder, presentFolder } from './folder.ts';

/**
 * Makes a folder of the member's own.
 *
 * @throws {ProblemError} 404 when the parent is not theirs, 409 when a sibling has the same name.
 */
export async function createFolder(
  { database, events }: Pick<AppContext, 'database' | 'events'>,
  actor: Actor,
  input: NewFolder,
): Promise<Folder> {
  const folder: StoredFolder = {
    id: newId(),
    ownerId: actor.id,
    parentId: input.parentId ?? '',
    name: input.name,
    color: input.color,
    icon: input.icon,
    order: input.order,
    createdAt: Date.now(),
  };
  try {
    await onBehalfOf(database, actor).transaction(async (tx) => {
      await lockUser(tx, actor.id);
      if (folder.parentId && !(await findFolder(tx, actor.id, folder.parentId))) {
        throw notFound('The parent folder does not exist any more.');
      }
      await tx.getRepository(FolderEntity).insert(folder);
    });
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
    throw conflict(`There is a folder named "${folder.name}" in the same place already.`);
  }
  events.publish({ type: 'folders_changed', userId: actor.id });
  return presentFolder(folder, 0);
}

/**
 * Deletes a folder. Nothing in it is lost: its alerts go back to My Alerts, its subfolders move up to its parent, where
 * one whose name is taken gets a number.
 *
 * @throws {ProblemError} 404 when it is not the member's.
 */
export async function deleteFolder(
  { database, events }: Pick<AppContext, 'database' | 'events'>,
  actor: Actor,
  id: string,
): Promise<void> {
  const released = await onBehalfOf(database, actor).transaction(async (tx) => {
    // A member's tree is changed by one transaction after the other; the folder's own lock keeps alerts from coming in.
    await lockUser(tx, actor.id);
    const folder = await lockFolder(tx, actor.id, id);
    if (!folder) throw notFound('This folder does not exist any more.');
    await tx.getRepository(FolderEntity).delete({ id });
    await moveUpChildren(tx, folder);
    return releaseFolder(tx, folder, {
      action: 'move_folder',
      previousFolderName: folder.name,
      folderOwnerId: actor.id,
      userDisplayName: actor.displayName,
    });
  });
  // One event however many they are: thousands would cost everybody who receives them their connection.
  if (released > 0) events.publish({ type: 'lists_changed', lists: ['mine', 'folder', 'all'], ownerId: actor.id });
  events.publish({ type: 'folders_changed', userId: actor.id });
}

async function moveUpChildren(tx: Transaction, folder: StoredFolder): Promise<void> {
  const folders = tx.getRepository(FolderEntity);
  const { ownerId, parentId } = folder;
  const taken = new Set((await folders.findBy({ ownerId, parentId })).map(({ name }) => name));
  for (const child of await folders.find({ where: { ownerId, parentId: folder.id }, order: { id: 'ASC' } })) {
    const name = freeName(child.name, taken);
    taken.add(name);
    await folders.update({ id: child.id }, { parentId, name });
  }
}

/** The name itself, or with the first number that nobody has: within the 100 characters that a name may have. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name.slice(0, 90).trimEnd()} (${number})`;
  return free;
}
