import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import { type AlertList, belongsIn, completionOf } from '#backend/contract/alert-place.ts';
import {
  type AlertGroup,
  type AlertGroupDetails,
  GROUP_BARS,
  type GroupMember,
} from '#backend/contract/alert-group.ts';
import { alertSeveritySchema } from '#backend/contract/alert.ts';
import type { AlertCompletion } from '#backend/contract/alert-query.ts';
import { type StoredAlert, selectAlert } from '#backend/alerts/alert/alert.ts';
import { type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { AlertGroupEntity, type StoredGroup } from './group-entities.ts';

const MEMBER_COLUMNS = [
  'id',
  'receivedAt',
  'status',
  'ownerId',
  'folderId',
  'snoozedUntil',
  'customer',
  'alertType',
  'title',
  'severity',
  'state',
  'sourceName',
  'sender',
  'groupId',
] as const satisfies (keyof StoredAlert)[];

type Member = Pick<StoredAlert, (typeof MEMBER_COLUMNS)[number]>;

/** Groups as a list, or a half of it, has them, in the order of `ids`; those of which it has no alert are left out. */
export async function readGroups(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  list: AlertList,
  ids: readonly string[],
  completion?: AlertCompletion,
): Promise<AlertGroupDetails[]> {
  const stored = await reads.getRepository(AlertGroupEntity).findBy({ id: In([...ids]) });
  if (stored.length === 0) return [];
  const rows: (Omit<Member, 'status'> & { status: StoredStatus })[] = await reads.query(
    `SELECT ${selectAlert(MEMBER_COLUMNS)} FROM alerts ${dialect.byIndex('alerts_by_group')} ` +
      `WHERE group_id IN (${marksOf(stored)})`,
    stored.map(({ id }) => id),
  );
  const members = rows
    .map((row) => Object.assign(row, { receivedAt: Number(row.receivedAt), status: visibleStatusOf(row.status) }))
    .filter((row) => belongsIn(list, { ...row, isSnoozed: row.snoozedUntil !== null }))
    .filter((row) => completion === undefined || completionOf(row) === completion);
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  const byId = new Map(stored.map((group) => [group.id, group]));
  return [...new Set(ids)].flatMap((id) => {
    const [group, some] = [byId.get(id), byGroup.get(id)];
    return group && some ? [summarize(group, some)] : [];
  });
}

/** A group without its alerts, as lists ask for several. */
export const withoutMembers = ({ members: _members, ...group }: AlertGroupDetails): AlertGroup => group;

/** What a group is by these of its alerts, at least one. */
export function summarize(
  { id, kind, withinMinutes, shared }: Pick<StoredGroup, 'id' | 'kind' | 'withinMinutes' | 'shared'>,
  alerts: readonly Member[],
): AlertGroupDetails {
  const times = alerts.map(({ receivedAt }) => receivedAt);
  const [since, newestAt] = [Math.min(...times), Math.max(...times)];
  const bars = Array.from({ length: GROUP_BARS }, () => ({ alerts: 0, critical: 0 }));
  for (const { receivedAt, severity } of alerts) {
    const share = newestAt === since ? 1 : (receivedAt - since) / (newestAt - since);
    const bar = bars[Math.min(GROUP_BARS - 1, Math.floor(share * GROUP_BARS))];
    if (!bar) continue;
    bar.alerts += 1;
    if (severity === 'critical') bar.critical += 1;
  }
  const worstFirst = alerts.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : 1),
  );
  return {
    id,
    kind,
    withinMinutes,
    shared,
    alerts: alerts.length,
    severities: alertSeveritySchema.options.flatMap((severity) => {
      const count = alerts.filter((alert) => (alert.severity ?? 'none') === severity).length;
      return count === 0 ? [] : [{ severity, alerts: count }];
    }),
    sources: sourcesOf(worstFirst),
    since: new Date(since).toISOString(),
    newestAt: new Date(newestAt).toISOString(),
    bars,
    members: worstFirst.map(present),
  };
}

const rankOf = ({ severity }: Member): number => alertSeveritySchema.options.indexOf(severity ?? 'none');

/** The sources of alerts by name, each once, that of the first alert first. */
function sourcesOf(alerts: readonly Member[]): AlertGroup['sources'] {
  const senders = new Map<string, string | null>();
  for (const { sourceName, sender } of alerts) {
    if (sourceName !== null && !senders.has(sourceName)) senders.set(sourceName, sender);
  }
  return [...senders].map(([name, sender]) => (sender === null ? { name } : { name, sender }));
}

const present = ({
  id,
  title,
  customer,
  alertType,
  severity,
  state,
  receivedAt,
  sourceName,
  sender,
}: Member): GroupMember => ({
  id,
  title,
  customer,
  alertType,
  severity: severity ?? 'none',
  state: state ?? 'event',
  timestamp: new Date(receivedAt).toISOString(),
  ...(sourceName !== null && { sourceName }),
  ...(sender !== null && { sender }),
});
