import { marksOf } from '#backend/platform/database/conditions.ts';
import { type PresentableAlert, publishedAlert, selectAlert } from '#backend/alerts/alert/alert.ts';
import { findAcceptedAt } from '#backend/alerts/alert/history.ts';
import { type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { loadAlerts, measurePage } from '#backend/alerts/lists/alert-rows.ts';
import type { MatchedAlert } from '#backend/alerts/alert/match-list.ts';
import { NoteEntity } from '#backend/alerts/notes/note.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type DestinationSettings, mayHear } from '#backend/outgoing/destinations/destination-entity.ts';
import { contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { type CompiledRule, sendsNewTo } from '#backend/outgoing/rules/compile-rule.ts';
import { BEGINNINGS, type Happening, asItMayHaveBeen, asItWas, inOrder, isBeforeEnd } from './happenings.ts';
import { endSentTo, isLaterInGroup, knownTo } from './known-destinations.ts';
import { type NewMessage, completionKey, newMessage } from './message-entity.ts';

/** Alerts that are read in one statement. */
const ALERTS_AT_ONCE = 100;

/** A transaction takes no longer, in milliseconds: what is older than its row of the feed by more was there before. */
const LONGEST_TRANSACTION_MS = 30_000;

/** Notes of an alert that are looked at. */
const NOTES_AT_ONCE = 20;

/** Where rules send to. */
export type KnownDestination = Pick<DestinationSettings, 'customers'> & {
  id: string;
  isPaused: boolean;
  isForPeople: boolean;
  /** The message of a problem is changed in place. */
  isLive: boolean;
};

/** What is sent by which rules to whom. */
export interface OutgoingPlan {
  rules: readonly CompiledRule[];
  destinations: ReadonlyMap<string, KnownDestination>;
}

/** Dependencies of making messages. */
export interface MakeDeps {
  database: Pick<Database, 'reads' | 'dialect'>;
  publicUrl: URL | undefined;
}

/**
 * The messages that rules make of what happened, in its order. Alerts are read as they are now: what was taken back since is
 * not sent, and two changes at once may be one message. Each happening makes one message for each destination, however many
 * rules lead there. Where the end of an alert was sent, nothing is sent of what came before it and is read later.
 */
export async function makeMessages(
  deps: MakeDeps,
  { rules, destinations }: OutgoingPlan,
  happenings: readonly Happening[],
): Promise<NewMessage[]> {
  const byAlert = Map.groupBy(
    happenings.filter(({ event }) => rules.some(({ events }) => events.has(event))),
    ({ alertId }) => alertId,
  );
  const messages: NewMessage[] = [];
  for await (const { alert, matched, ownerName, acceptedAt } of readMatching(deps, rules, [...byAlert.keys()])) {
    const wanted = rules.filter(({ matches }) => matches(matched));
    const ending = rules.filter((rule) => !wanted.includes(rule) && rule.matches(asItMayHaveBeen(matched)));
    if (wanted.length + ending.length === 0) continue;
    const isKept = alert.quietById !== null || (await isLaterInGroup(deps, alert));
    const wakes = byAlert.get(alert.id)?.some((happening) => happening.wakes) === true;
    const known = isKept || wakes || ending.length > 0 ? await knownTo(deps, alert.id) : undefined;
    let ended: ReadonlySet<string> | undefined;
    for (const happening of await expand(deps, alert, inOrder(byAlert.get(alert.id) ?? [], alert))) {
      // What still fires at the end of a maintenance window is new then.
      if (alert.quietById !== null && BEGINNINGS.has(happening.event)) continue;
      const judged = asItWas(alert, matched, happening);
      const active = (happening.event === 'completed' ? wanted.concat(ending) : wanted).filter(
        ({ events, activeSince, matches }) =>
          events.has(happening.event) && activeSince <= happening.at && (judged === matched || matches(judged)),
      );
      const receivers = new Set(active.flatMap(({ destinationIds }) => destinationIds));
      const { completedAt } = alert;
      if (alert.status === 'completed' && completedAt !== null && isBeforeEnd(happening, completedAt)) {
        ended ??= await endSentTo(deps, alert.id, completedAt);
        for (const id of ended) receivers.delete(id);
      }
      let content: string | undefined;
      for (const id of receivers) {
        const destination = destinations.get(id);
        if (!destination || destination.isPaused || !mayHear(destination, alert.customer)) continue;
        if (happening.wakes && known?.has(id)) continue;
        const isUnknown = known?.has(id) === false && !BEGINNINGS.has(happening.event);
        const senders = active.filter((rule) => rule.destinationIds.includes(id));
        if (isUnknown && senders.every((rule) => ending.includes(rule))) continue;
        // A rule without "new" never sends a beginning: what becomes of each alert is all that it sends.
        const isLeft = alert.quietById !== null || wanted.some((rule) => sendsNewTo(rule, id));
        if (isUnknown && isKept && isLeft) continue;
        content ??= JSON.stringify(
          contentOf({ ...alert, ownerName, acceptedAt }, sentEvent(happening, ownerName), deps.publicUrl),
        );
        messages.push({
          ...newMessage(alert.id, destination, happening, content),
          ruleIds: senders.map((rule) => rule.id),
        });
        known?.add(id);
      }
    }
  }
  return messages;
}

/** Alerts that one of the rules may be about by all but their texts, read whole. */
export async function* readMatching(
  deps: Pick<MakeDeps, 'database'>,
  rules: readonly CompiledRule[],
  ids: readonly string[],
): AsyncGenerator<ReadAlert> {
  for (let at = 0; at < ids.length; at += ALERTS_AT_ONCE) {
    yield* readAlerts(deps, await findCandidates(deps, rules, ids.slice(at, at + ALERTS_AT_ONCE)));
  }
}

/** Alerts that a rule may be about, by what is read without their payloads. */
async function findCandidates(
  { database }: Pick<MakeDeps, 'database'>,
  rules: readonly CompiledRule[],
  ids: readonly string[],
): Promise<string[]> {
  const rows: CandidateRow[] = await database.reads.query(
    `SELECT ${CANDIDATE_COLUMNS} FROM alerts WHERE id IN (${marksOf(ids)})`,
    [...ids],
  );
  const found = new Set(
    rows.filter((row) => rules.some(({ mayMatch }) => mayMatch(asItMayHaveBeen(candidateOf(row))))).map(({ id }) => id),
  );
  return ids.filter((id) => found.has(id));
}

const CANDIDATE_COLUMNS = selectAlert([
  'id',
  'status',
  'customer',
  'alertType',
  'sourceId',
  'ownerId',
  'folderId',
  'severity',
  'label',
  'snoozedUntil',
  'isTest',
  'flappingSince',
]);

type CandidateRow = Pick<
  PresentableAlert,
  | 'id'
  | 'customer'
  | 'alertType'
  | 'sourceId'
  | 'ownerId'
  | 'folderId'
  | 'severity'
  | 'label'
  | 'snoozedUntil'
  | 'flappingSince'
> & { status: StoredStatus; isTest: unknown };

const candidateOf = (row: CandidateRow): MatchedAlert => ({
  id: row.id,
  customer: row.customer,
  alertType: row.alertType,
  sourceId: row.sourceId,
  ownerId: row.ownerId,
  status: visibleStatusOf(row.status),
  isSnoozed: row.snoozedUntil !== null,
  isQuiet: false,
  content: {
    folderId: row.folderId,
    label: row.label,
    isTest: Boolean(Number(row.isTest)),
    isFlapping: row.flappingSince !== null,
    severity: row.severity ?? 'none',
    title: null,
    url: '',
    payload: '',
  },
});

/** An alert as rules judge it. */
interface ReadAlert {
  alert: PresentableAlert;
  matched: MatchedAlert;
  ownerName: string | null;
  /** When it left the inbox for its owner; null where nobody has it. */
  acceptedAt: number | null;
}

/** Reads alerts whole, a few megabytes at a time. */
export async function* readAlerts(
  { database: { reads } }: Pick<MakeDeps, 'database'>,
  ids: readonly string[],
): AsyncGenerator<ReadAlert> {
  let places = ids.map((id) => ({ id, status: 'pending' as const }));
  while (places.length > 0) {
    const page = await measurePage(reads, places);
    const names = await findDisplayNames(
      reads,
      page.alerts.flatMap(({ ownerId }) => ownerId ?? []),
    );
    const accepted = await findAcceptedAt(
      reads,
      page.alerts.flatMap(({ id, ownerId }) => (ownerId === null ? [] : [id])),
    );
    for await (const group of loadAlerts(reads, page.alerts)) {
      for (const alert of group) {
        const ownerName = names.get(alert.ownerId ?? '') ?? null;
        const acceptedAt = alert.ownerId === null ? null : (accepted.get(alert.id) ?? null);
        yield { alert, matched: publishedAlert(alert, ownerName), ownerName, acceptedAt };
      }
    }
    const { last } = page;
    places = page.isCut ? places.slice(places.findIndex(({ id }) => id === last?.id) + 1) : [];
  }
}

/** A happening that is sent, with its key. */
type SentHappening = Happening & { key: string; note?: { author: string; text: string } };

/** What of an alert's happenings is so by what is known of it now. */
async function expand(
  deps: MakeDeps,
  alert: PresentableAlert,
  happenings: readonly Happening[],
): Promise<SentHappening[]> {
  const sent: SentHappening[] = [];
  for (const happening of happenings) {
    const { event, key, at } = happening;
    switch (event) {
      case 'new':
      case 'escalated':
        // Somebody put it off: where it was not sent before it is new when it wakes, unless somebody has it by then.
        if (alert.snoozedUntil === null && key !== null && !(happening.wakes && alert.ownerId !== null)) {
          sent.push({ ...happening, key });
        }
        break;
      case 'accepted':
        if (alert.ownerId !== null && key !== null) sent.push({ ...happening, key });
        break;
      case 'completed': {
        const { completedAt, status } = alert;
        if (status !== 'completed' || completedAt === null || completedAt < at - LONGEST_TRANSACTION_MS) break;
        sent.push({ ...happening, key: completionKey(completedAt) });
        break;
      }
      case 'note':
        for (const { id, authorName, text } of await newNotes(deps, alert.id, at)) {
          sent.push({ ...happening, key: `note:${id}`, by: { name: authorName }, note: { author: authorName, text } });
        }
    }
  }
  return sent;
}

/** Notes that were written in the transaction of a row, the oldest first. */
async function newNotes({ database }: MakeDeps, alertId: string, at: number) {
  const notes = await database.reads
    .getRepository(NoteEntity)
    .find({ where: { alertId }, order: { id: 'DESC' }, take: NOTES_AT_ONCE });
  return notes.filter(({ createdAt }) => createdAt >= at - LONGEST_TRANSACTION_MS && createdAt <= at).toReversed();
}

const sentEvent = ({ event, at, by, note }: SentHappening, ownerName: string | null) => ({
  event,
  at,
  by: by === 'owner' ? ownerName : by === 'sender' ? null : by.name,
  note,
});
