import type { AlertSeverity } from '#backend/contract/alert.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import { idOfText } from '#backend/platform/database/ids.ts';
import { type ReadAlert, tinyIdOf } from './read-alerts.ts';

/** Severity of each priority. */
export const PRIORITIES = {
  P1: 'critical',
  P2: 'high',
  P3: 'warning',
  P4: 'low',
  P5: 'info',
} as const satisfies Record<string, AlertSeverity>;
export type Priority = keyof typeof PRIORITIES;

/** The priority of an alert: of one without a severity P3, which is Opsgenie's default. */
export const priorityOf = ({ severity }: Pick<ReadAlert, 'severity'>): Priority =>
  (Object.keys(PRIORITIES) as Priority[]).find((priority) => PRIORITIES[priority] === severity) ?? 'P3';

/** Closed for its sender: completed by somebody, or reported resolved, also where its owner still works on it. */
export const isClosed = ({ status, state }: Pick<ReadAlert, 'status' | 'state'>): boolean =>
  status === 'completed' || state === 'resolved';

/** Somebody has seen to it: a member accepted it, or its sender says so. */
export const isAcknowledged = ({ ownerId, state }: Pick<ReadAlert, 'ownerId' | 'state'>): boolean =>
  ownerId !== null || state === 'acknowledged';

export const aliasOf = ({ fields, dedupKey, id }: ReadAlert): string => fields.alias || dedupKey || id;

export const messageOf = ({ title, fields }: ReadAlert): string => title ?? fields.message;

export const updatedAtOf = ({ receivedAt, lastSeenAt, touchedAt, completedAt, resolvedAt }: ReadAlert): number =>
  Math.max(receivedAt, lastSeenAt ?? 0, touchedAt ?? 0, completedAt ?? 0, resolvedAt ?? 0);

export const lastOccurredAtOf = ({ receivedAt, lastSeenAt }: ReadAlert): number => lastSeenAt ?? receivedAt;

const iso = (time: number): string => new Date(time).toISOString();

const RESPONDER_TYPES = new Set<unknown>(['user', 'team', 'escalation', 'schedule']);

/**
 * A responder as it was sent, with an id: senders name most of them, and Opsgenie's own clients refuse an alert with a responder
 * that has none. The id is made of type and name, for there are no responders here.
 */
function presentResponder(responder: unknown): object[] {
  if (typeof responder !== 'object' || responder === null || !('type' in responder)) return [];
  const { type, ...named } = responder as Record<string, unknown>;
  if (!RESPONDER_TYPES.has(type)) return [];
  const id =
    typeof named['id'] === 'string' && named['id'] !== '' ? named['id'] : idOfText(JSON.stringify([type, named]));
  return [{ ...named, type, id }];
}

/** An alert as lists have it. @param owners e-mail addresses of owners, by their ids */
export function presentBase(alert: ReadAlert, source: KnownSource, owners: ReadonlyMap<string, string>) {
  const { id, status, snoozedUntil, occurrences, receivedAt, ownerId, fields, completedAt, resolvedAt } = alert;
  const owner = owners.get(ownerId ?? '') ?? '';
  const closedAt = (status === 'completed' ? completedAt : null) ?? resolvedAt;
  return {
    id,
    tinyId: tinyIdOf(id),
    alias: aliasOf(alert),
    message: messageOf(alert),
    status: isClosed(alert) ? 'closed' : 'open',
    acknowledged: isAcknowledged(alert),
    isSeen: isAcknowledged(alert),
    tags: fields.tags,
    snoozed: snoozedUntil !== null,
    ...(snoozedUntil !== null && snoozedUntil !== UNTIL_NEXT_FIRING && { snoozedUntil: iso(snoozedUntil) }),
    count: occurrences,
    lastOccurredAt: iso(lastOccurredAtOf(alert)),
    createdAt: iso(receivedAt),
    updatedAt: iso(updatedAtOf(alert)),
    source: fields.source,
    owner,
    priority: priorityOf(alert),
    responders: fields.responders.flatMap(presentResponder),
    integration: { id: source.id, name: source.name, type: 'API' },
    report: {
      ...(owner !== '' && { acknowledgedBy: owner }),
      ...(isClosed(alert) && closedAt !== null && { closeTime: Math.max(0, closedAt - receivedAt) }),
    },
  };
}

/** An alert by itself. */
export function presentAlert(alert: ReadAlert, source: KnownSource, owners: ReadonlyMap<string, string>) {
  const { entity, description, details, actions } = alert.fields;
  return { ...presentBase(alert, source, owners), actions, entity, description, details };
}
