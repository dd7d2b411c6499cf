import type { EntityManager } from 'typeorm';
import { findUser } from '#backend/accounts/user-store.ts';
import type { WorkStatus } from '#backend/contract/alert.ts';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { conflict, notAllowed, notFound } from '#backend/endpoint/errors.ts';
import type { JsonText } from '#backend/endpoint/json-text.ts';
import { findFolder } from '#backend/folders/folder-store.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import type { StoredAlert } from './alert-entity.ts';
import { canChangeStatus, canDelete, canMove, canSee, canUnaccept } from './alert-policy.ts';
import { addHistory, claimAlert, deleteAlertIf, findAlert, updateAlertIf } from './alert-store.ts';
import { presentAlert, publishedAlert } from './present-alert.ts';

/** What the commands on alerts need. */
export interface AlertCommandNeeds {
  database: Database;
  events: EventBus;
}

/**
 * pending → accepted, owner = the member. Of several at once exactly one wins; again by the owner changes nothing.
 *
 * @throws {ProblemError} 404 when there is no such alert, 409 naming who accepted it.
 */
export async function acceptAlert(
  { database, events }: AlertCommandNeeds,
  actor: Actor,
  id: string,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const isMine = await claimAlert({ tx, dialect: database.dialect }, id, actor.id);
    const found = await requireAlert(tx, id);
    if (isMine) {
      await addHistory(tx, { alertId: id, action: 'accepted', userDisplayName: actor.displayName });
    } else if (found.ownerId !== actor.id) {
      throw conflict(`Already accepted by ${await ownerNameOf(tx, found)}.`);
    }
    return { alert: found, changed: isMine };
  });
  if (changed) {
    events.publish({ type: 'alert_accepted', alertId: id, ownerId: actor.id, ownerName: actor.displayName });
  }
  return presentAlert(alert, actor.displayName);
}

/**
 * Back to the inbox: no owner, no folder, pending. An alert that is there already stays as it is.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 409 when it changed meanwhile.
 */
export async function unacceptAlert(
  { database, events }: AlertCommandNeeds,
  actor: Actor,
  id: string,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (found.status === 'pending') return { alert: found, changed: false };
    if (!canUnaccept(actor, found)) throw notAllowed('Only its owner can return this alert to the inbox.');
    await mustBeAsFound(
      updateAlertIf({ tx, dialect: database.dialect }, found, { status: 'pending', ownerId: null, folderId: null }),
    );
    await addHistory(tx, {
      alertId: id,
      action: 'unaccepted',
      previousStatus: found.status,
      previousFolderName: await folderNameOf(tx, found),
      userDisplayName: actor.displayName,
    });
    return { alert: { ...found, status: 'pending' as const, ownerId: null, folderId: null }, changed: true };
  });
  if (changed) events.publish({ type: 'alert_unaccepted', alert: publishedAlert(alert, null) });
  return presentAlert(alert, null);
}

/**
 * Sets the status, from any of the three to any other. The same again changes nothing and leaves no trace.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it is not theirs, 409 when nobody accepted it.
 */
export async function changeAlertStatus(
  { database, events }: AlertCommandNeeds,
  actor: Actor,
  id: string,
  status: WorkStatus,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (found.status === 'pending') throw conflict('Accept this alert before you change its status.');
    if (!canChangeStatus(actor, found)) throw notAllowed('Only its owner can change the status of this alert.');
    if (found.status === status) return { alert: found, changed: false };
    await mustBeAsFound(updateAlertIf({ tx, dialect: database.dialect }, found, { status }));
    await addHistory(tx, {
      alertId: id,
      action: 'status_change',
      previousStatus: found.status,
      newStatus: status,
      userDisplayName: actor.displayName,
    });
    return { alert: { ...found, status }, changed: true };
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
  { database, events }: AlertCommandNeeds,
  actor: Actor,
  id: string,
  folderId: string | null,
): Promise<JsonText> {
  const { alert, changed } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (found.status === 'pending') throw conflict('Accept this alert before you move it to a folder.');
    if (!canMove(actor, found)) throw notAllowed('Only its owner can move this alert to a folder.');
    const target = folderId === null ? null : await findFolder(tx, actor.id, folderId);
    if (folderId !== null && !target) throw notFound('This folder does not exist any more.');
    if (found.folderId === folderId) return { alert: found, changed: false };
    const previousFolderName = await folderNameOf(tx, found);
    await mustBeAsFound(updateAlertIf({ tx, dialect: database.dialect }, found, { folderId }));
    await addHistory(tx, {
      alertId: id,
      action: 'move_folder',
      previousFolderName,
      newFolderName: target?.name ?? null,
      userDisplayName: actor.displayName,
    });
    return { alert: { ...found, folderId }, changed: true };
  });
  if (changed) events.publish({ type: 'alert_updated', alert: publishedAlert(alert, actor.displayName) });
  return presentAlert(alert, actor.displayName);
}

/**
 * Removes an alert. Its history stays.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it may be deleted by administrators only.
 */
export async function deleteAlert({ database, events }: AlertCommandNeeds, actor: Actor, id: string): Promise<void> {
  await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireVisibleAlert(tx, actor, id);
    if (!canDelete(actor, found)) throw notAllowed('Only administrators can delete an accepted alert.');
    await mustBeAsFound(deleteAlertIf({ tx, dialect: database.dialect }, found));
    await addHistory(tx, {
      alertId: id,
      action: 'deleted',
      previousStatus: found.status,
      userDisplayName: actor.displayName,
    });
  });
  events.publish({ type: 'alert_deleted', alertId: id });
}

async function requireAlert(tx: EntityManager, id: string): Promise<StoredAlert> {
  const alert = await findAlert(tx, id);
  if (!alert) throw notFound('This alert does not exist any more.');
  return alert;
}

async function requireVisibleAlert(tx: EntityManager, actor: Actor, id: string): Promise<StoredAlert> {
  const alert = await requireAlert(tx, id);
  if (!canSee(actor, alert)) throw notFound('This alert does not exist any more.');
  return alert;
}

async function mustBeAsFound(change: Promise<boolean>): Promise<void> {
  if (!(await change)) throw conflict('Somebody else changed this alert at the same moment. Try again.');
}

/** Name of the folder that the alert is filed in, as it is now. */
async function folderNameOf(tx: EntityManager, { ownerId, folderId }: StoredAlert): Promise<string | null> {
  if (ownerId === null || folderId === null) return null;
  return (await findFolder(tx, ownerId, folderId))?.name ?? null;
}

async function ownerNameOf(tx: EntityManager, alert: StoredAlert): Promise<string> {
  const owner = alert.ownerId === null ? null : await findUser(tx, alert.ownerId);
  return owner?.displayName ?? 'someone else';
}
