import { NO_GROUPING, type GroupingNow } from '#backend/alerts/groups/grouping-rules.ts';
import { type FlappingNow, NO_FLAPPING } from '#backend/alerts/groups/flapping-rule.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { placeOf } from '#backend/alerts/alert/alert.ts';
import type { EventOutcome } from '#backend/contract/delivery.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type NoteOfSource, addNotesOfSources } from '#backend/alerts/notes/source-notes.ts';
import { keepQuiet } from '#backend/alerts/maintenance/mark-alerts.ts';
import { NO_WINDOWS, type WindowsNow } from '#backend/alerts/maintenance/quiet-windows.ts';
import { NO_RULES, type RulesNow } from '#backend/alerts/rules/open-rules.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type AwaitedReport, awaitReport, writeAwaited } from './awaited-reports.ts';
import { type IncomingDelivery, type IncomingEvent, isMerged, namesDelivery } from './incoming-delivery.ts';
import { type FindEchoes, NO_ECHOES, echoesOf } from './echoes.ts';
import {
  type StoredDelivery,
  deliveryKey,
  findDeliveries,
  insertDeliveries,
  isOtherBody,
  rememberWhole,
} from './deliveries.ts';
import { type ProblemAlert, amendAlert, changeOpenAlert, reopenAlert, routeEvent } from './problems.ts';
import {
  type ProblemRow,
  type StoredProblem,
  lockProblems,
  namesProblem,
  problemKey,
  problemKeysOf,
  readNewestPayloads,
  writeChanges,
  writeProblems,
} from './problem-rows.ts';
import { followRhythms, standingOf } from './rhythms.ts';
import { applyRulings, countReport, noteChanged, noteMade, ruledEvent, markRuled } from './ruled-reports.ts';
import { type DueNames, type SeenAlert, type SeenNames, createSeenNames, writeSeenNames } from './seen-names.ts';
import { countedChange, notifyOncePerCard, record, settled } from './touched-alerts.ts';
import {
  type TouchedAlert,
  type WrittenAlert,
  changesOf,
  findValidSenders,
  insertNew,
  newAlert,
} from './write-rows.ts';

/** What became of one event of a delivery. */
export interface EventResult {
  outcome: EventOutcome;
  /** The alert that it made or changed; null for a resolution of a problem that is not open. */
  alertId: string | null;
  /** When its delivery arrived; of one that came again, when it came first. */
  receivedAt: number;
  occurrences: number;
  /** Its note was not stored: the alert has as many as it may have. */
  isNoteLost?: boolean;
}

/** What became of one delivery of a batch. */
export type WriteOutcome =
  | { kind: 'written'; results: EventResult[] }
  /** An idempotency key was used before, with another body. Nothing of the delivery is stored. */
  | { kind: 'other-body' }
  /** The secret ended, or the session did, before this transaction. */
  | { kind: 'revoked' };

/** The outcomes of a batch, one for each delivery in order, and its alerts in the order in which they were met. */
export interface WrittenBatch {
  outcomes: WriteOutcome[];
  alerts: WrittenAlert[];
}

/** What decides about alerts as they arrive. */
export interface Arrivals {
  windows: WindowsNow;
  rules: RulesNow;
  grouping: GroupingNow;
  flapping: FlappingNow;
}

/** No window, rule or grouping applies, and nothing flaps. */
export const NOTHING_DECIDES: Arrivals = {
  windows: NO_WINDOWS,
  rules: NO_RULES,
  grouping: NO_GROUPING,
  flapping: NO_FLAPPING,
};

/** Stores a batch; nothing of it when it throws. */
export type BatchWriter = (batch: IncomingDelivery[]) => Promise<WrittenBatch>;

/**
 * Stores a batch in one transaction: alerts and what changes of open ones, the customers and types they name, and the
 * deliveries by which a repetition is recognised. Plain multi-row inserts: one `save()` per alert is six times slower
 * and more.
 */
export function createBatchWriter(
  database: Database,
  findEchoes: FindEchoes = NO_ECHOES,
  arrivals: Arrivals = NOTHING_DECIDES,
): BatchWriter {
  const seenNames = createSeenNames();
  return async (batch) => {
    const write = async () => {
      let due: DueNames | undefined;
      const dueIn: SeenNames['dueIn'] = (fresh) => (due = seenNames.dueIn(fresh));
      const written = await database.transaction((tx) => writeIn(tx, batch, { dueIn, findEchoes, ...arrivals }));
      if (due) seenNames.noteWritten(due);
      return written;
    };
    try {
      return await write();
    } catch (error) {
      // Another server stored one of these deliveries, problems or groups in the same moment; this time it is found.
      const mayCollide =
        arrivals.grouping.active().length > 0 ||
        batch.some((delivery) => namesDelivery(delivery) || delivery.events.some(namesProblem));
      if (mayCollide && database.dialect.isDuplicate(error)) return write();
      throw error;
    }
  };
}

/** Stores a batch within a transaction. An alert that names neither itself nor a problem needs its own rows and the counters. */
export async function writeIn(
  tx: Transaction,
  batch: IncomingDelivery[],
  { dueIn, findEchoes, ...arrivals }: Pick<SeenNames, 'dueIn'> & Arrivals & { findEchoes: FindEchoes },
): Promise<WrittenBatch> {
  const valid = await findValidSenders(tx, batch);
  const taken = batch.filter((delivery) => isValid(valid, delivery));
  const known = taken.some(namesDelivery) ? await findDeliveries(tx, taken) : new Map<string, StoredDelivery>();
  const problemKeys = problemKeysOf(taken);
  const problems = problemKeys.size > 0 ? await lockProblems(tx, problemKeys) : new Map<string, StoredProblem>();
  const newest = taken.some(isMerged) ? await readNewestPayloads(tx, taken, problems) : new Map<string, JsonText>();
  const isEcho = await echoesOf(tx, taken, problems, findEchoes);
  const notes: (NoteOfSource & { result: EventResult })[] = [];
  const touched = new Map<string, TouchedAlert>();
  const seen: SeenAlert[] = [];
  const named: StoredDelivery[] = [];
  const newProblems = new Map<string, ProblemRow>();
  const awaited = new Map<string, AwaitedReport>();
  const hits = new Map<string, number>();
  const rhythms = followRhythms(arrivals.flapping.terms());

  const touch = (alert: ProblemAlert, delivery: IncomingDelivery, made?: TouchedAlert['made']): TouchedAlert => {
    const found = touched.get(alert.id);
    if (found) return found;
    const fresh: TouchedAlert = {
      alert,
      ownerName: null,
      isNew: made !== undefined,
      isReopened: false,
      reason: undefined,
      isQuiet: delivery.isQuiet ?? false,
      readAt: delivery.readAt,
      made,
      before: made ? undefined : placeOf(alert),
      entries: [],
      repeats: 0,
      isChanged: false,
      sourceName: delivery.source.name,
      ruled: [],
    };
    touched.set(alert.id, fresh);
    return fresh;
  };

  const make = (delivery: IncomingDelivery, event: IncomingEvent, previous: ProblemAlert | undefined): EventResult => {
    const alert = newAlert(delivery, event, previous);
    noteMade(touch(alert, delivery, { delivery, event }), event);
    rhythms.made(alert, previous, delivery);
    if (namesProblem(event)) {
      awaitReport(awaited, alert, delivery, event);
      const key = problemKey(delivery.source.id, event.dedupKey ?? '');
      const isStored = newProblems.get(key)?.isStored ?? problems.has(key);
      newProblems.set(key, {
        sourceId: delivery.source.id,
        dedupKey: event.dedupKey ?? '',
        alertId: alert.id,
        isStored,
      });
      problems.set(key, { alert });
    }
    return { outcome: 'new', alertId: alert.id, receivedAt: alert.receivedAt, occurrences: 1 };
  };

  const noting = ({ source }: IncomingDelivery, { note }: IncomingEvent, alert: ProblemAlert, result: EventResult) => {
    const isOnce = result.outcome === 'nothing-open';
    if (note !== undefined) notes.push({ alert, text: note, source, result, isOnce });
    return result;
  };

  const report = (delivery: IncomingDelivery, event: IncomingEvent): EventResult => {
    if (!namesProblem(event)) return make(delivery, event, undefined);
    const problem = problems.get(problemKey(delivery.source.id, event.dedupKey ?? ''));
    const alert = problem?.alert;
    if (delivery.isImport && problem) {
      return { outcome: 'duplicate', alertId: alert?.id ?? null, receivedAt: delivery.receivedAt, occurrences: 1 };
    }
    if (alert && isEcho(alert.id, event)) {
      return { outcome: 'echo', alertId: alert.id, receivedAt: delivery.receivedAt, occurrences: alert.occurrences };
    }
    const route = routeEvent(alert, event, delivery.policy, delivery.receivedAt);
    if (route === 'nothing-open') {
      const result = { outcome: route, alertId: alert?.id ?? null, receivedAt: delivery.receivedAt, occurrences: 0 };
      // What somebody has completed before is noted on all the same.
      return alert && (event.only ?? alert.id) === alert.id ? noting(delivery, event, alert, result) : result;
    }
    if (!alert || route === 'new') return make(delivery, event, alert);
    const found = touch(alert, delivery);
    const stood = standingOf(alert);
    const seenBefore = alert.lastSeenAt ?? alert.receivedAt;
    const before = newest.get(alert.id) ?? jsonText(alert.payload ?? '{}');
    const said = event.merge ? { ...event, payload: event.merge(before) } : event;
    const reported =
      route === 'amend'
        ? amendAlert(alert, said, event.amends ?? {}, before)
        : route === 'reopen'
          ? reopenAlert(alert, said, delivery.receivedAt)
          : changeOpenAlert(alert, said, delivery.policy, delivery.receivedAt);
    const change = rhythms.changed(alert, stood, event, reported, delivery);
    if (change.reason !== undefined) newest.set(alert.id, said.payload);
    record(found, ...noteChanged(found, event, change, delivery));
    if (route !== 'amend') awaitReport(awaited, alert, delivery, event, seenBefore);
    const { id, occurrences } = alert;
    const { receivedAt } = delivery;
    return noting(delivery, event, alert, { outcome: change.outcome, alertId: id, receivedAt, occurrences });
  };

  const takeEvent = (delivery: IncomingDelivery, sent: IncomingEvent): EventResult => {
    const key = sent.delivery && deliveryKey(delivery.source.id, sent.delivery.keyHash);
    const earlier = key === undefined ? undefined : known.get(key);
    if (earlier) return duplicateOf(earlier);
    const newestOfProblem =
      sent.dedupKey === null ? undefined : problems.get(problemKey(delivery.source.id, sent.dedupKey))?.alert;
    const event = ruledEvent(arrivals.rules.current(), delivery, sent, newestOfProblem);
    const result = report(delivery, event);
    countReport(hits, event, result.outcome);
    seen.push({ customer: event.customer, alertType: event.alertType, receivedAt: delivery.receivedAt });
    if (key !== undefined && event.delivery && result.alertId !== null) {
      const { source, receivedAt } = delivery;
      const stored = { apiKeyId: source.id, ...event.delivery, alertId: result.alertId, receivedAt };
      known.set(key, stored);
      named.push(stored);
    }
    return result;
  };

  /** A signed request that came before is not taken again, whatever ids its headers name now. */
  const takeAll = (delivery: IncomingDelivery): EventResult[] => {
    const { source, signedKey, events } = delivery;
    const earlier = signedKey === undefined ? undefined : known.get(deliveryKey(source.id, signedKey));
    if (earlier) return events.map(() => duplicateOf(earlier));
    const results = events.map((event) => takeEvent(delivery, event));
    named.push(...rememberWhole(delivery, results, known));
    return results;
  };

  const outcomes = batch.map((delivery): WriteOutcome => {
    if (!isValid(valid, delivery)) return { kind: 'revoked' };
    if (isOtherBody(delivery, known)) return { kind: 'other-body' };
    return { kind: 'written', results: takeAll(delivery) };
  });

  const alerts = settled(touched.values());
  await markRuled(tx, alerts);
  await keepQuiet(tx, arrivals.windows.onAt(Date.now()), alerts);
  // What a window keeps quiet is in its group, and does not count as announced.
  await notifyOncePerCard(tx, arrivals.grouping.active(), alerts);
  await insertNew(tx, alerts);
  if (named.length > 0) await insertDeliveries(tx, named);
  if (newProblems.size > 0) await writeProblems(tx, [...newProblems.values()]);
  const changed = alerts.filter(({ isChanged }) => isChanged);
  if (changed.length > 0) await writeChanges(tx, changed);
  await rhythms.write(tx);
  if (awaited.size > 0) await writeAwaited(tx, awaited);
  for (const { result } of notes.length > 0 ? await addNotesOfSources(tx, notes) : []) result.isNoteLost = true;
  // Last, because these rows are the ones that two batches share: they stay locked no longer than the commit takes.
  if (seen.length > 0) await writeSeenNames(tx, dueIn(seen));
  await countChanges(tx, alerts.flatMap(countedChange));
  const written = alerts.filter(({ isNew, isChanged }) => isNew || isChanged);
  announce(tx, ...written.flatMap(changesOf));
  await applyRulings(tx, alerts, hits);
  return { outcomes, alerts: written };
}

export const duplicateOf = ({ alertId, receivedAt }: StoredDelivery): EventResult => ({
  outcome: 'duplicate',
  alertId: alertId || null,
  receivedAt,
  occurrences: 1,
});

const isValid = (valid: ReadonlySet<string>, { sessionId, source, isOwn }: IncomingDelivery): boolean =>
  isOwn === true || valid.has(sessionId ?? source.secretId ?? '');
