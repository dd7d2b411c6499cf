import type { Alert } from '#backend/contract/alert.ts';
import { asTouched, awake, inStatus, snoozed } from '#renderer/alerts/data/alert-changes.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';

/**
 * One batch of a bulk change by chance, made to `alerts` and returned as the server reports it: by ids alone. Undefined
 * when it concerns no alert.
 *
 * @param completedAt when it completes alerts; undefined as a server of an earlier release reports it
 */
export function changeMany(
  alerts: Map<string, Alert>,
  random: (below: number) => number,
  completedAt?: string,
): AlertsChanged | undefined {
  if (random(4) === 0) return snoozeMany(alerts, random);
  const kind = (['accepted', 'unaccepted', 'updated', 'assigned', 'deleted'] as const)[random(5)] ?? 'updated';
  const owner = `member-${random(2)}`;
  const folderId = [undefined, 'f', 'g', null][random(4)];
  const status = (['accepted', 'in-progress', 'completed'] as const)[random(3)] ?? 'accepted';
  const isConcerned = (alert: Alert): boolean => {
    if (kind === 'deleted') return true;
    if (kind === 'assigned') return alert.status !== 'pending' && alert.ownerId !== owner;
    return kind === 'accepted' ? alert.status === 'pending' : alert.status !== 'pending' && alert.ownerId === owner;
  };
  const concerned = [...alerts.values()].filter((alert) => random(3) === 0 && isConcerned(alert));
  const versions = concerned.map(({ version }) => version + 1);
  for (const { ownerId: _owner, ownerName: _name, folderId: before, ...older } of concerned) {
    const sleeping = { ...older, version: older.version + 1 };
    const rest = kind === 'assigned' ? sleeping : awake(sleeping);
    const folder = kind === 'assigned' ? undefined : folderId === undefined ? before : (folderId ?? undefined);
    if (kind === 'deleted') alerts.delete(rest.id);
    else if (kind === 'unaccepted') alerts.set(rest.id, inStatus(rest, 'pending'));
    else {
      alerts.set(rest.id, {
        ...(kind === 'assigned' ? rest : inStatus(rest, kind === 'accepted' ? kind : status, completedAt)),
        ...(folder !== undefined && { folderId: folder }),
        ownerId: owner,
        ownerName: owner,
      });
    }
  }
  const isOwned = kind === 'accepted' || kind === 'updated' || kind === 'assigned';
  return concerned.length === 0
    ? undefined
    : {
        type: 'alerts_changed',
        change: kind,
        alertIds: concerned.map(({ id }) => id),
        ...(kind !== 'deleted' && { versions }),
        ownerId: isOwned ? owner : null,
        ownerName: isOwned ? owner : null,
        ...(kind === 'updated' && { status }),
        ...(kind === 'updated' && status === 'completed' && completedAt !== undefined && { completedAt }),
        ...(isOwned && kind !== 'assigned' && folderId !== undefined && { folderId }),
      };
}

/** The same by snoozing or waking what is nobody's, or one member's. */
function snoozeMany(alerts: Map<string, Alert>, random: (below: number) => number): AlertsChanged | undefined {
  const change = (['snoozed', 'woken'] as const)[random(2)] ?? 'woken';
  const owner = [undefined, 'member-0', 'member-1'][random(3)];
  const concerned = [...alerts.values()].filter(
    ({ ownerId, status, snoozedUntil }) =>
      random(2) === 0 &&
      ownerId === owner &&
      status !== 'completed' &&
      (snoozedUntil === undefined) === (change === 'snoozed'),
  );
  if (concerned.length === 0) return undefined;
  for (const alert of concerned) {
    const changed = asTouched(change === 'snoozed' ? snoozed(alert, 'next-firing') : awake(alert));
    alerts.set(alert.id, { ...changed, version: alert.version + 1 });
  }
  return {
    type: 'alerts_changed',
    change,
    alertIds: concerned.map(({ id }) => id),
    versions: concerned.map(({ version }) => version + 1),
    ownerId: owner ?? null,
    ownerName: owner ?? null,
    ...(change === 'snoozed' && { snoozedUntil: 'next-firing' as const }),
  };
}
