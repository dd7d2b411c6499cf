import { windowEndSchema } from '#backend/contract/maintenance.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { z } from 'zod';
import {
  changedListSchema,
  liveEventSchema,
  memberNoticeSchema,
  updateReasonSchema,
} from '#backend/contract/live-event.ts';
import type { AlertsFact, Change, DomainEvent, PublishedAlert } from '#backend/platform/live/event-bus.ts';

const alertIds = z.array(z.string());

/** Events that consist of ids and small facts, as they are written down and as they cross from server to server. */
export const PLAIN_EVENTS = [
  z.object({
    type: z.literal('alert_accepted'),
    alertId: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
    version: z.int().optional(),
  }),
  z.object({ type: z.literal('alert_deleted'), alertId: z.string() }),
  z.object({ type: z.literal('alerts_changed') }).loose(),
  z.object({ type: z.literal('alerts_returned') }).loose(),
  z.object({
    type: z.literal('lists_changed'),
    lists: z.array(changedListSchema),
    ownerId: z.string().nullable(),
  }),
  z.object({ type: z.literal('notes_changed'), alertId: z.string(), ownerId: z.string().nullable() }),
  z.object({ type: z.literal('ladder_changed'), alertId: z.string(), ownerId: z.string().nullable() }),
  z.object({ type: z.literal('alerts_retitled'), alertIds }),
  z.object({ type: z.literal('member_notified'), userId: z.string(), notice: memberNoticeSchema }),
  z.object({
    type: z.literal('alerts_given'),
    notice: z.object({
      id: z.string(),
      kind: z.enum(['assigned', 'handed_over', 'reassigned']),
      userId: z.string(),
      byId: z.string(),
      byName: z.string(),
      alertIds,
      alertTitle: z.string().nullable(),
      toName: z.string().optional(),
      text: z.string(),
    }),
  }),
  z.object({
    type: z.literal('notices_changed'),
    userId: z.string(),
    noticeIds: z.array(z.string()),
    isRead: z.boolean(),
  }),
  z.object({ type: z.literal('notification_settings_changed'), userId: z.string() }),
  z.object({ type: z.literal('folders_changed'), userId: z.string() }),
  z.object({ type: z.literal('profile_changed'), userId: z.string() }),
  z.object({ type: z.literal('views_changed'), userId: z.string().nullable() }),
  z.object({ type: z.literal('source_changed'), sourceId: z.string().nullable(), isEdited: z.boolean().optional() }),
  z.object({ type: z.literal('members_changed') }),
  z.object({ type: z.literal('outgoing_changed') }),
  z.object({ type: z.literal('rules_changed') }),
  z.object({ type: z.literal('maintenance_changed'), ended: z.optional(windowEndSchema) }),
  z.object({ type: z.literal('heartbeats_changed') }),
  z.object({ type: z.literal('member_disabled'), userId: z.string() }),
  z.object({
    type: z.literal('session_ended'),
    sessionId: z.string(),
    isRenewed: z.boolean().optional(),
    isByAdministrator: z.boolean().optional(),
  }),
] as const;

const changeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('new_alert'), alertIds, quiet: z.boolean().optional(), isGiven: z.boolean().optional() }),
  z.object({ type: z.literal('alert_unaccepted'), alertIds }),
  z.object({
    type: z.literal('alert_updated'),
    alertIds,
    reason: z.optional(updateReasonSchema),
    byName: z.string().optional(),
  }),
  ...PLAIN_EVENTS,
]);

/** What of a change is written down: never an alert itself, which is read when somebody has missed it. */
export type Fact = AlertsFact | Exclude<Change, { alert: PublishedAlert } | AlertsFact>;

/** The JSON that is stored of what a transaction changed. Neighbours that differ in their alert alone are one fact. */
export function factsText(changes: readonly Change[]): string {
  const facts: object[] = [];
  let last: { rest: object; alertIds: string[] } | undefined;
  for (const change of changes) {
    if (!('alert' in change)) {
      facts.push(change);
      last = undefined;
      continue;
    }
    const { alert } = change;
    const rest = withoutAlert(change);
    if (last && (last.rest === rest || JSON.stringify(last.rest) === JSON.stringify(rest))) {
      last.alertIds.push(alert.id);
      continue;
    }
    last = { rest, alertIds: [alert.id] };
    facts.push({ ...rest, alertIds: last.alertIds });
  }
  return JSON.stringify(facts);
}

const NEW = { type: 'new_alert' } as const;
const NEW_AND_QUIET = { ...NEW, quiet: true } as const;
/** Without `quiet`: a server of a release that does not know this sends it as new, as it did before. */
const NEW_AND_GIVEN = { ...NEW, isGiven: true } as const;

/** What is written of an event beside its alert. Of new alerts it is the very same object: a storm has nothing else. */
function withoutAlert(change: Extract<Change, { alert: PublishedAlert }>): object {
  if (change.type === 'new_alert') return change.isGiven ? NEW_AND_GIVEN : change.quiet ? NEW_AND_QUIET : NEW;
  const { alert: _, ...rest } = change;
  return rest;
}

/** Reads what is stored; undefined where one of the facts is of a release that this one does not know. */
export function parseFacts(text: string): Fact[] | undefined {
  const parsed = z.array(changeSchema).safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  const facts = parsed.data.map(factOf);
  return facts.includes(undefined) ? undefined : (facts as Fact[]);
}

/** What was written, as this release knows it; undefined where it does not. */
function factOf(written: z.infer<typeof changeSchema>): object | undefined {
  if (isOfContract(written)) return liveEventSchema.safeParse(written).data;
  return written.type === 'new_alert' && written.isGiven ? { ...written, quiet: true } : written;
}

const isOfContract = ({ type }: { type: string }): boolean => type === 'alerts_changed' || type === 'alerts_returned';

/** Reads alerts as events carry them, those that there are, by their ids. */
export type LoadPublished = (ids: readonly string[]) => Promise<ReadonlyMap<string, PublishedAlert>>;

/** The events of what changed, with the alerts as they are now. */
export async function eventsOf(changes: readonly (Change | Fact)[], load: LoadPublished): Promise<DomainEvent[]> {
  const ids = idsToLoad(changes);
  const alerts = ids.length === 0 ? new Map<string, PublishedAlert>() : await load([...new Set(ids)]);
  return changes.flatMap((change): DomainEvent[] => {
    if (isPlain(change)) return [change];
    const { alertIds: changed, ...event } = change;
    return changed.flatMap((id): DomainEvent[] => {
      const alert = alerts.get(id);
      if (!alert) return [];
      // It may have been taken since, and is no news to those who cannot see it.
      return isEverybodys(alert) || event.type === 'alert_updated'
        ? [{ ...event, alert }]
        : [{ type: 'alert_updated', alert }];
    });
  });
}

/**
 * The events of each of these rows, with the alerts of all of them read together. A row of a later release says that what it is
 * about is to be read from the database.
 */
export async function eventsOfRows(rows: readonly { facts: string }[], load: LoadPublished): Promise<DomainEvent[][]> {
  const parsed = rows.map(({ facts }) => parseFacts(facts));
  const ids = [...new Set(parsed.flatMap((facts) => idsToLoad(facts ?? [])))];
  const alerts = new Map<string, PublishedAlert>();
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE)
    for (const [id, alert] of await load(ids.slice(at, at + MOST_AT_ONCE))) alerts.set(id, alert);
  return Promise.all(
    parsed.map((facts) => (facts ? eventsOf(facts, async () => alerts) : [{ type: 'resync' as const }])),
  );
}

/** Alerts that are read with one call. */
const MOST_AT_ONCE = 500;

const idsToLoad = (changes: readonly (Change | Fact)[]): string[] =>
  changes.flatMap((change) => ('alertIds' in change && !isPlain(change) ? change.alertIds : []));

/** Whether it is an event already. */
export const isPlain = (change: Change | Fact): change is Exclude<Change, AlertsFact> =>
  !('alertIds' in change) || change.type === 'alerts_changed' || change.type === 'alerts_retitled';
