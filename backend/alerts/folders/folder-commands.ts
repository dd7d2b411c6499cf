import type { Database } from '#backend/platform/database/database.ts';
import { type Change, announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { setImmediate } from 'node:timers/promises';
import { newId } from '#backend/platform/database/ids.ts';
import { lockUser } from '#backend/identity/users/user.ts';
import { releaseFolder } from '#backend/alerts/alert/alert-store.ts';
import { type Folder, MAX_FOLDERS, MAX_FOLDER_DEPTH, type NewFolder } from '#backend/contract/folder.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { startOfCharacter } from '#backend/contract/cut-text.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import {
  FolderEntity,
  type StoredFolder,
  detached,
  findDetached,
  lockFolder,
  presentFolder,
} from '#backend/alerts/alert/folder.ts';

/**
 * Makes a folder of the member's own.
 *
 * @throws {ProblemError} 404 when the parent is not theirs, 409 when a sibling has the same name, they have as many folders
 * as they may, or it would be too deep.
 */
export async function createFolder(
  { database }: { database: Database },
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
      await requirePlace(tx, folder);
      await tx.getRepository(FolderEntity).insert(folder);
      announce(tx, { type: 'folders_changed', userId: actor.id });
    });
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
    throw conflict(`There is a folder named "${folder.name}" in the same place already.`);
  }
  return presentFolder(folder, 0);
}

/** @throws {ProblemError} as {@link createFolder}; the member's row is locked, so that nobody adds to the tree meanwhile. */
async function requirePlace(tx: Transaction, { ownerId, parentId }: StoredFolder): Promise<void> {
  const folders = await tx
    .getRepository(FolderEntity)
    .find({ select: { id: true, parentId: true }, where: { ownerId } });
  const parents = new Map(folders.map((folder) => [folder.id, folder.parentId]));
  if (parentId && !parents.has(parentId)) throw notFound('The parent folder no longer exists.');
  if (folders.length >= MAX_FOLDERS) throw conflict(`You have ${MAX_FOLDERS} folders already. Delete one first.`);
  let depth = 1;
  for (let above = parentId; above && depth <= MAX_FOLDER_DEPTH; above = parents.get(above) ?? '') depth += 1;
  if (depth > MAX_FOLDER_DEPTH) {
    throw conflict(`Folders can be ${MAX_FOLDER_DEPTH} levels deep. Choose a folder further up.`);
  }
}

/**
 * Deletes a folder. Nothing in it is lost: its alerts go back to My Alerts, its subfolders move up to its parent, where
 * one whose name is taken gets a number. Of a large folder the alerts leave in steps, with other work between; it is gone
 * from the tree with the first, and pages are notified after the last.
 *
 * @throws {ProblemError} 404 when it is not the member's.
 */
export async function deleteFolder(
  { database, logger }: { database: Database; logger: Logger },
  actor: Actor,
  id: string,
): Promise<void> {
  const { folder, hasMore } = await onBehalfOf(database, actor).transaction(async (tx) => {
    // A member's tree is changed by one transaction after the other; the folder's own lock keeps alerts from coming in.
    await lockUser(tx, actor.id);
    const found = await lockFolder(tx, actor.id, id);
    if (!found) throw notFound('This folder no longer exists.');
    const step = await releaseFolder(tx, found, entryOf(found.name, actor));
    if (step.hasMore) await tx.getRepository(FolderEntity).update({ id }, detached(found));
    else await tx.getRepository(FolderEntity).delete({ id });
    await moveUpChildren(tx, found);
    // One change however many they are: thousands would cost everybody who receives them their connection.
    if (step.released > 0 && !step.hasMore) announce(tx, releasedFrom(actor.id));
    if (!step.hasMore) announce(tx, { type: 'folders_changed', userId: actor.id });
    return { ...step, folder: found };
  });
  if (hasMore) {
    await emptyFolder(database, folder, actor).catch((error: unknown) =>
      logger.warn(
        { err: error, folder: id },
        'a deleted folder could not be emptied; that is finished within a minute',
      ),
    );
  }
}

/** Alerts of a folder are in their owner's queue again. */
const releasedFrom = (ownerId: string) =>
  ({ type: 'lists_changed', lists: ['mine', 'folder', 'all'], ownerId }) satisfies Change;

/**
 * Takes what is left out of a detached folder, and deletes its row with the last alert. Two servers may do so at the same
 * time: the row's lock lets one go after the other.
 */
async function emptyFolder(
  { transaction }: Pick<Database, 'transaction'>,
  { id, name, ownerId }: Pick<StoredFolder, 'id' | 'name' | 'ownerId'>,
  by: Pick<Actor, 'id' | 'displayName'>,
  stopping = new AbortController().signal,
): Promise<void> {
  for (let hasMore = true; hasMore && !stopping.aborted;) {
    // What other requests wait for goes between.
    await setImmediate();
    const step = await transaction(
      async (tx) => {
        const [row] = await tx.holdRows(FolderEntity, { id });
        if (!row) return { released: 0, hasMore: false };
        const left = await releaseFolder(tx, { id, ownerId }, entryOf(name, by));
        if (left.hasMore) return left;
        await tx.getRepository(FolderEntity).delete({ id });
        announce(tx, releasedFrom(ownerId), { type: 'folders_changed', userId: ownerId });
        return left;
      },
      // The deletion itself has reached the disk; a step that a power cut takes back is done again.
      { waitsForDisk: false },
    );
    hasMore = step.hasMore;
  }
}

/** How often deletions that a server left half-done are looked for, in milliseconds. */
export const DELETED_FOLDERS_MS = 60_000;

/** Empties the folders whose deletion was not finished, because its server ended. Those that are being emptied it helps with. */
export async function finishDeletions({ database }: { database: Database }, stopping: AbortSignal): Promise<void> {
  for (const { id, name, ownerId, displayName } of await findDetached(database.reads)) {
    await emptyFolder(database, { id, name, ownerId }, { id: ownerId, displayName }, stopping);
  }
}

const entryOf = (name: string, { id, displayName }: Pick<Actor, 'id' | 'displayName'>) =>
  ({
    action: 'move_folder',
    previousFolderName: name,
    folderOwnerId: id,
    userDisplayName: displayName,
  }) as const;

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
  // Half a character is stored as another one, which the next folder would not find taken.
  const start = name
    .slice(0, startOfCharacter(name, 90) || 90)
    .toWellFormed()
    .trimEnd();
  for (let number = 2; taken.has(free); number += 1) free = `${start} (${number})`;
  return free;
}
