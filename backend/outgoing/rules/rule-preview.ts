import { In } from 'typeorm';
import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import {
  PREVIEWED_ALERTS,
  PREVIEWED_HOURS,
  type RulePreview,
  type RulePreviewQuery,
} from '#backend/contract/outgoing-rule-preview.ts';
import { HistoryEntity, type StoredHistoryEntry } from '#backend/alerts/alert/history.ts';
import { findAlertPage } from '#backend/alerts/lists/alert-pages.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { DestinationEntity, mayHear, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';

/** Dependencies of the preview of a rule. */
export interface RulePreviewDeps {
  database: Database;
  search: SearchIndex;
}

const HOUR_MS = 3_600_000;

/** Alerts whose newest messages are counted one by one. */
const NEWEST = 5;

/** What of an alert's history a rule may send. */
type Entry = Pick<
  StoredHistoryEntry,
  'alertId' | 'action' | 'createdAt' | 'newStatus' | 'previousSeverity' | 'newSeverity'
>;

/**
 * What a rule would have sent in the last seven days, of the newest alerts that it is about: each is judged as it is now, as if
 * the rule had been on all the time and every destination had taken its messages one by one.
 *
 * @throws {ProblemError} 400 for a search that is not understood
 */
export async function previewRule(
  { database, search: index }: RulePreviewDeps,
  { search, events, destinationIds }: RulePreviewQuery,
  now: number,
): Promise<RulePreview> {
  const list = await narrowStored(database, `${search} from:7d`.trim());
  const page = await findAlertPage({ database, search: index }, list, { sort: 'newest', limit: PREVIEWED_ALERTS });
  const sent = page.alerts.filter(({ isTest }) => !isTest);
  const entries = await readEntries(
    database,
    sent.map(({ id }) => id),
  );
  const receivers = await readReceivers(database, destinationIds);
  const isWanted = (event: OutgoingEvent | undefined): boolean => event !== undefined && events.includes(event);
  const hours = Array.from({ length: PREVIEWED_HOURS }, () => 0);
  const perAlert = new Map<string, number>();
  for (const { id, customer, receivedAt } of sent) {
    const happened = (entries.get(id) ?? []).filter((entry) => isWanted(eventOf(entry)));
    const times = [...(isWanted('new') ? [receivedAt] : []), ...happened.map(({ createdAt }) => createdAt)];
    const copies = receivers.filter((destination) => mayHear(destination, customer)).length;
    perAlert.set(id, times.length * copies);
    for (const time of times) {
      const hour = PREVIEWED_HOURS - 1 - Math.floor((now - time) / HOUR_MS);
      // An alert of the last seven days may have begun while this was counted.
      if (hour >= 0 && hour < PREVIEWED_HOURS) hours[hour] = (hours[hour] ?? 0) + copies;
    }
  }
  return {
    hours,
    newest: [...perAlert].slice(0, NEWEST).map(([id, messages]) => ({ id, messages })),
    isCut: page.next !== undefined,
  };
}

async function readEntries({ reads }: Database, alertIds: readonly string[]): Promise<Map<string, Entry[]>> {
  if (alertIds.length === 0) return new Map();
  const entries: Entry[] = await reads.getRepository(HistoryEntity).find({
    select: {
      alertId: true,
      id: true,
      action: true,
      createdAt: true,
      newStatus: true,
      previousSeverity: true,
      newSeverity: true,
    },
    where: { alertId: In([...alertIds]), action: In(Object.keys(EVENTS)) },
  });
  return Map.groupBy(entries, ({ alertId }) => alertId);
}

/** Which message an entry of the history was, as {@link happeningsOf} reads it from the feed. */
const EVENTS: Partial<Record<StoredHistoryEntry['action'], OutgoingEvent>> = {
  reopened: 'new',
  severity_change: 'escalated',
  accepted: 'accepted',
  assigned: 'accepted',
  handed_over: 'accepted',
  status_change: 'completed',
  resolved: 'completed',
  note_added: 'note',
};

const rankOf = (severity: AlertSeverity | null): number => alertSeveritySchema.options.indexOf(severity ?? 'none');

function eventOf({ action, newStatus, previousSeverity, newSeverity }: Entry): OutgoingEvent | undefined {
  const event = EVENTS[action];
  if (event === 'completed' && newStatus !== 'completed') return undefined;
  // The most severe is the first.
  if (event === 'escalated' && rankOf(newSeverity) >= rankOf(previousSeverity)) return undefined;
  return event;
}

async function readReceivers({ reads }: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const stored = await reads.getRepository(DestinationEntity).findBy({ id: In([...ids]) });
  return stored.filter(({ ownerId, pausedAt }) => ownerId === null && pausedAt === null).map(readSettings);
}
