import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { MAX_SNOOZE_MINUTES, type SnoozedUntil } from '#backend/contract/alert.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notAllowed, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { changeAlert, lockAlert } from '#backend/alerts/alert/alert-store.ts';
import { type StoredAlert, canSee, canSnooze, presentAlert, publishedAlert } from '#backend/alerts/alert/alert.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';

const MINUTE_MS = 60_000;

/** How long a snooze lasts, as a request says it: one of the two. */
interface Wanted {
  until?: SnoozedUntil | undefined;
  minutes?: number | undefined;
}

/**
 * When a snooze ends, in milliseconds; minutes go by this server's clock.
 *
 * @throws {ProblemError} 422 when the time has passed, or is more than 366 days ahead.
 */
export function snoozeEndOf({ until, minutes = 0 }: Wanted, now = Date.now()): number {
  if (until === 'next-firing') return UNTIL_NEXT_FIRING;
  const end = until === undefined ? now + minutes * MINUTE_MS : Date.parse(until);
  if (end <= now) throw unacceptable('This time has passed. Choose a later one.');
  if (end > now + MAX_SNOOZE_MINUTES * MINUTE_MS) throw unacceptable('Choose a time within the next 366 days.');
  return end;
}

/** Whether its sender can report this alert's problem again: it has a name and a lifecycle. */
export const canFireAgain = ({ dedupKey, state }: Pick<StoredAlert, 'dedupKey' | 'state'>): boolean =>
  dedupKey !== null && state !== null;

/**
 * Takes an alert out of the inbox, or out of its owner's lists, until a time or the next firing. Its status, folder and
 * notes stay. Until the same end again changes nothing.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it is somebody else's, 409 when it is completed
 * or never fires again, 422 when the time cannot be.
 */
export async function snoozeAlert(context: Context, actor: Actor, id: string, wanted: Wanted): Promise<JsonText> {
  const snoozedUntil = snoozeEndOf(wanted);
  return change(context, actor, id, (found) => {
    if (found.status === 'completed') throw conflict('A completed alert cannot be snoozed.');
    if (snoozedUntil === UNTIL_NEXT_FIRING && !canFireAgain(found)) {
      throw conflict('This alert never fires again: its sender names no problem. Choose a time.');
    }
    return found.snoozedUntil === snoozedUntil
      ? undefined
      : { change: { snoozedUntil, wokenAt: null }, entry: { action: 'snoozed', snoozedUntil } };
  });
}

/**
 * Ends a snooze. An alert that is not snoozed stays as it is.
 *
 * @throws {ProblemError} 404 when the member may not know of it, 403 when it is somebody else's.
 */
export const wakeAlert = (context: Context, actor: Actor, id: string): Promise<JsonText> =>
  change(context, actor, id, ({ snoozedUntil }) =>
    snoozedUntil === null ? undefined : { change: { snoozedUntil: null, wokenAt: null }, entry: { action: 'woken' } },
  );

type Context = { database: Database; events: EventBus };

/** What a command decides on the locked alert; undefined when there is nothing to change. */
type Decide = (found: StoredAlert) =>
  | {
      change: Pick<StoredAlert, 'snoozedUntil' | 'wokenAt'>;
      entry: { action: 'snoozed' | 'woken'; snoozedUntil?: number };
    }
  | undefined;

async function change({ database, events }: Context, actor: Actor, id: string, decide: Decide): Promise<JsonText> {
  const { alert, ownerName, isChanged } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await lockAlert(tx, id);
    if (!found || !canSee(actor, found)) throw notFound('This alert does not exist any more.');
    if (!canSnooze(actor, found)) throw notAllowed('Only its owner can snooze or wake this alert.');
    const names = await findDisplayNames(tx, found.ownerId === null ? [] : [found.ownerId]);
    const decided = decide(found);
    const changed =
      decided &&
      (await changeAlert(tx, found, decided.change, { ...decided.entry, userDisplayName: actor.displayName }));
    return {
      alert: changed ?? found,
      ownerName: names.get(found.ownerId ?? '') ?? null,
      isChanged: decided !== undefined,
    };
  });
  if (isChanged) events.publish({ type: 'alert_updated', alert: publishedAlert(alert, ownerName) });
  return presentAlert(alert, ownerName);
}
