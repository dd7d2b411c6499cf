import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { Not } from 'typeorm';
import { lockActiveAdmins, lockUser } from '#backend/identity/users/user.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { parseSearch } from '#backend/contract/search.ts';
import {
  MAX_VIEWS,
  type NewView,
  type ViewChange,
  type ViewNotifyChange,
  type ViewOrder,
} from '#backend/contract/view.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, malformed, notAllowed, notFound } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import {
  EVERYBODY,
  type StoredView,
  ViewEntity,
  ViewNoticeEntity,
  canChangeView,
  canSeeView,
  isShared,
} from './view.ts';

type Deps = { database: Database };

/** Who changes views, and from where: changes of what everybody sees are recorded in the audit trail. */
export interface ViewAuthor {
  actor: Actor;
  ip: string;
}

const GONE = 'This view no longer exists.';
const nameKeyOf = (name: string): string => name.toLowerCase();

/**
 * Saves a view.
 *
 * @throws {ProblemError} 400 when a part of the search is not understood, 403 when the member may not share it or see its
 * list, 409 when the name is taken or there are as many views as there may be.
 */
export async function createView({ database }: Deps, { actor, ip }: ViewAuthor, input: NewView): Promise<StoredView> {
  assertUnderstood(input.search);
  if ((input.isShared || input.list === 'all') && !seesEverything(actor)) throw notAllowed();
  const view: StoredView = {
    id: newId(),
    ownerId: input.isShared ? EVERYBODY : actor.id,
    name: input.name,
    nameKey: nameKeyOf(input.name),
    list: input.list,
    search: input.search,
    sort: input.sort,
    position: 0,
    version: 1,
    changedAt: Date.now(),
  };
  await withFreeName({ database }, actor, view, () =>
    onBehalfOf(database, actor).transaction(async (tx) => {
      view.position = await takePlace(tx, actor, view.ownerId);
      await tx.getRepository(ViewEntity).insert(view);
      await choose(tx, actor, view.id, input);
      if (isShared(view)) await addAudit(tx, authorOf(actor, ip), 'shared_view_created', view.name);
      announceViews(tx, view.ownerId);
    }),
  );
  return view;
}

/**
 * Changes a view that is still as the caller knows it.
 *
 * @throws {ProblemError} as `createView`, and 404 when it is gone, 409 when it was changed meanwhile.
 */
export async function changeView(
  { database }: Deps,
  { actor, ip }: ViewAuthor,
  id: string,
  { version, isShared: shares, name, search, sort }: ViewChange,
): Promise<StoredView> {
  if (search !== undefined) assertUnderstood(search);
  return withFreeName({ database }, actor, { name: name ?? '' }, () =>
    onBehalfOf(database, actor).transaction(async (tx) => {
      const before = await lockView(tx, actor, id);
      if (!canChangeView(actor, before)) throw notAllowed();
      if (before.version !== version) throw conflict('Someone else changed this view in the meantime.');
      const ownerId =
        shares === undefined || shares === isShared(before) ? before.ownerId : shares ? EVERYBODY : actor.id;
      if (ownerId === EVERYBODY && !seesEverything(actor)) throw notAllowed();
      const after: StoredView = {
        ...before,
        name: name ?? before.name,
        nameKey: nameKeyOf(name ?? before.name),
        search: search ?? before.search,
        sort: sort ?? before.sort,
        ownerId,
        position: ownerId === before.ownerId ? before.position : await takePlace(tx, actor, ownerId),
        version: version + 1,
        changedAt: Date.now(),
      };
      await tx.getRepository(ViewEntity).update({ id }, after);
      // Nobody else sees it any more.
      if (isShared(before) && !isShared(after)) {
        await tx.getRepository(ViewNoticeEntity).delete({ viewId: id, userId: Not(actor.id) });
      }
      const action = auditedChange(before, after);
      if (action) await addAudit(tx, authorOf(actor, ip), action, namesOf(before, after));
      for (const owner of new Set([before.ownerId, ownerId])) announceViews(tx, owner);
      return after;
    }),
  );
}

/** What the audit trail records of a change: a member's own views are nobody else's business. */
function auditedChange(before: StoredView, after: StoredView): AuditAction | undefined {
  if (isShared(before) !== isShared(after)) return isShared(after) ? 'view_shared' : 'view_unshared';
  if (!isShared(after)) return undefined;
  const isChanged = before.name !== after.name || before.search !== after.search || before.sort !== after.sort;
  return isChanged ? 'shared_view_changed' : undefined;
}

const namesOf = (before: StoredView, after: StoredView): string =>
  before.name === after.name ? after.name : `${before.name} → ${after.name}`;

/**
 * Deletes a view.
 *
 * @throws {ProblemError} 403 when it is shared and the member may not, 404 when it is gone.
 */
export async function deleteView({ database }: Deps, { actor, ip }: ViewAuthor, id: string): Promise<void> {
  await onBehalfOf(database, actor).transaction(async (tx) => {
    const view = await lockView(tx, actor, id);
    if (!canChangeView(actor, view)) throw notAllowed();
    await tx.getRepository(ViewEntity).delete({ id });
    await tx.getRepository(ViewNoticeEntity).delete({ viewId: id });
    if (isShared(view)) await addAudit(tx, authorOf(actor, ip), 'shared_view_deleted', view.name);
    announceViews(tx, view.ownerId);
  });
}

/**
 * Sets how the member is notified of the alerts in a view; of a shared one everybody chooses for themselves.
 *
 * @throws {ProblemError} 404 when it is gone.
 */
export async function chooseViewNotice(
  { database }: Deps,
  actor: Actor,
  id: string,
  choice: ViewNotifyChange,
): Promise<void> {
  await onBehalfOf(database, actor).transaction(async (tx) => {
    await lockView(tx, actor, id);
    await choose(tx, actor, id, choice);
    announce(tx, { type: 'views_changed', userId: actor.id });
  });
}

async function choose(
  tx: Transaction,
  { id: userId }: Actor,
  viewId: string,
  { notify, timeZone = 'UTC' }: ViewNotifyChange,
): Promise<void> {
  const notices = tx.getRepository(ViewNoticeEntity);
  await notices.delete({ userId, viewId });
  if (notify !== 'settings') await notices.insert({ userId, viewId, notify, timeZone });
}

/**
 * Puts views in an order: those that are not named follow in theirs, names of others are left out. The last writer wins.
 *
 * @throws {ProblemError} 403 when the shared ones are meant and the member may not.
 */
export async function orderViews({ database }: Deps, actor: Actor, order: ViewOrder): Promise<void> {
  if (order.isShared && !seesEverything(actor)) throw notAllowed();
  const ownerId = order.isShared ? EVERYBODY : actor.id;
  await onBehalfOf(database, actor).transaction(async (tx) => {
    await lockScope(tx, ownerId);
    const views = await viewsOf(tx, ownerId);
    const sorted = views.toSorted((one, other) => rankIn(order, one) - rankIn(order, other));
    for (const [position, { id }] of sorted.entries()) await tx.getRepository(ViewEntity).update({ id }, { position });
    announceViews(tx, ownerId);
  });
}

/** What is not named comes last. */
const rankIn = ({ ids }: ViewOrder, { id }: StoredView): number => (ids.includes(id) ? ids.indexOf(id) : ids.length);

/** The view, which nobody changes until the transaction ends. Those of others are as good as none. */
async function lockView(tx: Transaction, actor: Actor, id: string): Promise<StoredView> {
  const [view] = await tx.lockRows(ViewEntity, { id });
  if (!view || !canSeeView(actor, view)) throw notFound(GONE);
  return view;
}

/** Views are added to one owner's by one transaction after the other: the shared ones behind the administrators' rows. */
const lockScope = async (tx: Transaction, ownerId: string): Promise<unknown> =>
  ownerId === EVERYBODY ? lockActiveAdmins(tx) : lockUser(tx, ownerId);

const viewsOf = (tx: Transaction, ownerId: string): Promise<StoredView[]> =>
  tx.getRepository(ViewEntity).find({ where: { ownerId }, order: { position: 'ASC', id: 'ASC' } });

/** The place of one more view: behind the others. @throws {ProblemError} 409 when there are as many as there may be. */
async function takePlace(tx: Transaction, actor: Actor, ownerId: string): Promise<number> {
  await lockScope(tx, ownerId);
  const views = await viewsOf(tx, ownerId);
  if (views.length >= MAX_VIEWS) {
    if (ownerId === EVERYBODY) throw conflict(`There are ${MAX_VIEWS} shared views already. Delete one first.`);
    const hidden = views.filter((view) => !canSeeView(actor, view)).length;
    const counted = hidden === 0 ? '' : `, counting those of all alerts that you no longer see: ${hidden}`;
    throw conflict(`You have ${MAX_VIEWS} views already${counted}. Delete one first.`);
  }
  return (views.at(-1)?.position ?? -1) + 1;
}

async function withFreeName<Result>(
  { database: { dialect, reads } }: Pick<Deps, 'database'>,
  actor: Actor,
  { name }: Pick<StoredView, 'name'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!dialect.isDuplicate(error)) throw error;
    const taken = await reads.getRepository(ViewEntity).findOneBy({ ownerId: actor.id, nameKey: nameKeyOf(name) });
    if (taken && !canSeeView(actor, taken)) {
      throw conflict(
        `You have a view of all alerts named "${name}" already, which you no longer see. Choose another name.`,
      );
    }
    throw conflict(name === '' ? 'A view has this name already.' : `There is a view named "${name}" already.`);
  }
}

/** A view whose search is not understood would be an error for as long as it is there. */
function assertUnderstood(search: string): void {
  const { hints } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  const errors = hints.map(({ message }) => ({ path: 'search', message }));
  if (errors.length > 0) throw malformed(errors.map(({ message }) => message).join(' '), errors);
}

const announceViews = (tx: Transaction, ownerId: string): void =>
  announce(tx, { type: 'views_changed', userId: ownerId === EVERYBODY ? null : ownerId });
