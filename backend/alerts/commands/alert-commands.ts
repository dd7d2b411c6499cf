import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { MemberNotices } from './member-notices.ts';
import { findUser } from '#backend/identity/users/user.ts';
import type { OwnerCondition, WorkStatus } from '#backend/contract/alert.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notAllowed, notFound } from '#backend/platform/endpoint/errors.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import { findFolder, lockFolder } from '#backend/alerts/alert/folder.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import {
  type StoredAlert,
  canChangeStatus,
  canDelete,
  canMove,
  canSee,
  canUnaccept,
  presentAlert,
  publishedAlert,
} from '#backend/alerts/alert/alert.ts';
import { changeAlert, lockAlert, removeAlerts } from '#backend/alerts/alert/alert-store.ts';

/**
 * pending → accepted, owner = the member. Of several at once exactly one wins; again by the owner changes nothing.
 *
 * @throws {ProblemError} 404 when there is no such alert, 409 naming who accepted it.
 */
export async function acceptAlert(
  { database, events }: { database: Database; events: EventBus },
  actor: Actor,
  id: string,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireAlert(tx, id);
    if (found.ownerId === actor.id) return { alert: found, changed: false };
    if (found.status !== 'pending') throw conflict(`Already accepted by ${await ownerNameOf(tx, found)}.`);
    const mine = await changeAlert(
      tx,
      found,
      { status: 'accepted', ownerId: actor.id },
      { action: 'accepted', userDisplayName: actor.displayName },
    );
    return { alert: mine, changed: true };
  });
  if (changed) {
    events.publish({ type: 'alert_accepted', alertId: id, ownerId: actor.id, ownerName: actor.displayName });
  }
  return presentAlert(alert, actor.displayName);
}

/**
 * Back to the inbox: no owner, no folder, pending. An alert that is there already stays as it is.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it is somebody else's.
 */
export async function unacceptAlert(
  { database, events, notices }: { database: Database; events: EventBus; notices: MemberNotices },
  actor: Actor,
  id: string,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireAlert(tx, id);
    if (!canSee(actor, found) && !canUnaccept(actor, found)) throw notFound('This alert does not exist any more.');
    if (found.status === 'pending') return { alert: found, changed: false };
    if (!canUnaccept(actor, found)) throw notAllowed('Only its owner can return this alert to the inbox.');
    const returned = await changeAlert(
      tx,
      found,
      { status: 'pending', ownerId: null, folderId: null },
      {
        action: 'unaccepted',
        previousStatus: found.status,
        previousFolderName: await folderNameOf(tx, found),
        folderOwnerId: found.ownerId,
        userDisplayName: actor.displayName,
      },
    );
    return { alert: returned, changed: true };
  });
  if (changed) {
    events.publish({ type: 'alert_unaccepted', alert: publishedAlert(alert, null) });
    notices.withdraw([id]);
  }
  return presentAlert(alert, null);
}

/**
 * Sets the status, from any of the three to any other. The same again changes nothing and leaves no trace.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it is not theirs, 409 when nobody accepted it.
 */
export async function changeAlertStatus(
  { database, events }: { database: Database; events: EventBus },
  actor: Actor,
  id: string,
  status: WorkStatus,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (found.status === 'pending') throw conflict('Accept this alert before you change its status.');
    if (!canChangeStatus(actor, found)) throw notAllowed('Only its owner can change the status of this alert.');
    if (found.status === status) return { alert: found, changed: false };
    const updated = await changeAlert(
      tx,
      found,
      { status },
      {
        action: 'status_change',
        previousStatus: found.status,
        newStatus: status,
        userDisplayName: actor.displayName,
      },
    );
    return { alert: updated, changed: true };
  });
  if (changed) events.publish({ type: 'alert_updated', alert: publishedAlert(alert, actor.displayName) });
  return presentAlert(alert, actor.displayName);
}

/**
 * Files an alert in one of the member's folders, or takes it out (`null`). Where it is already, nothing changes.
 *
 * @throws {ProblemError} 404 when the member may not know of the alert or the folder, 403 when the alert is not theirs,
 * 409 when nobody accepted it.
 */
export async function moveAlert(
  { database, events }: { database: Database; events: EventBus },
  actor: Actor,
  id: string,
  folderId: string | null,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    // The folder first, in the order in which a folder's deletion locks them.
    const target = folderId === null ? null : await lockFolder(tx, actor.id, folderId);
    const found = await requireVisibleAlert(tx, actor, id);
    if (found.status === 'pending') throw conflict('Accept this alert before you move it to a folder.');
    if (!canMove(actor, found)) throw notAllowed('Only its owner can move this alert to a folder.');
    if (folderId !== null && !target) throw notFound('This folder does not exist any more.');
    if (found.folderId === folderId) return { alert: found, changed: false };
    const moved = await changeAlert(
      tx,
      found,
      { folderId },
      {
        action: 'move_folder',
        previousFolderName: await folderNameOf(tx, found),
        newFolderName: target?.name ?? null,
        folderOwnerId: actor.id,
        userDisplayName: actor.displayName,
      },
    );
    return { alert: moved, changed: true };
  });
  if (changed) events.publish({ type: 'alert_updated', alert: publishedAlert(alert, actor.displayName) });
  return presentAlert(alert, actor.displayName);
}

/**
 * Removes an alert. Its history stays.
 *
 * @param ifOwner whose the alert was when its deletion was decided
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it may be deleted by administrators only, 409
 * when it is somebody else's by now than `ifOwner` says.
 */
export async function deleteAlert(
  { database, events }: { database: Database; events: EventBus },
  actor: Actor,
  id: string,
  ifOwner?: OwnerCondition,
): Promise<void> {
  await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (!canDelete(actor, found)) throw notAllowed('Only administrators can delete an accepted alert.');
    if (ifOwner !== undefined && ifOwner !== (found.ownerId ?? 'none')) {
      throw conflict(
        found.ownerId === null
          ? 'This alert was returned to the inbox.'
          : `Already accepted by ${await ownerNameOf(tx, found)}.`,
      );
    }
    const by = actor.displayName;
    await removeAlerts(tx, [found], ({ status }) => ({
      alertId: id,
      action: 'deleted',
      previousStatus: status,
      userDisplayName: by,
    }));
  });
  events.publish({ type: 'alert_deleted', alertId: id });
}

/** The alert, locked: what is decided on it still holds when it is changed. */
async function requireAlert(tx: Transaction, id: string): Promise<StoredAlert> {
  const alert = await lockAlert(tx, id);
  if (!alert) throw notFound('This alert does not exist any more.');
  return alert;
}

async function requireVisibleAlert(tx: Transaction, actor: Actor, id: string): Promise<StoredAlert> {
  const alert = await requireAlert(tx, id);
  if (!canSee(actor, alert)) throw notFound('This alert does not exist any more.');
  return alert;
}

/** Name of the folder that the alert is filed in, as it is now. */
async function folderNameOf(tx: Transaction, { ownerId, folderId }: StoredAlert): Promise<string | null> {
  if (ownerId === null || folderId === null) return null;
  return (await findFolder(tx, ownerId, folderId))?.name ?? null;
}

async function ownerNameOf(tx: Transaction, alert: StoredAlert): Promise<string> {
  const owner = alert.ownerId === null ? null : await findUser(tx, alert.ownerId);
  return owner?.displayName ?? 'someone else';
}
