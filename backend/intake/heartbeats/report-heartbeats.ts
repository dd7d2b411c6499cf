import type { Arrivals } from '#backend/intake/write/write-batch.ts';
import { PING_BODY_BYTES } from '#backend/contract/heartbeat.ts';
import { NO_EXTRA_DATA } from '#backend/intake/adapters/specified-fields.ts';
import { titleLine } from '#backend/intake/reading/bounded-text.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { BUILT_IN_SOURCE, type IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import type { ProblemPolicy } from '#backend/intake/write/problems.ts';
import { createSeenNames } from '#backend/intake/write/seen-names.ts';
import { writeIn } from '#backend/intake/write/write-batch.ts';
import { type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { HeartbeatEntity, type StoredHeartbeat, scheduleOf, slotOf } from './heartbeat-entities.ts';
import { type Step, standingOf } from './rules.ts';

/** What the alerts of heartbeats are called by where the name of a source would stand, and their type. */
const SENDER = { id: BUILT_IN_SOURCE, name: 'Heartbeats', secretId: null };
const ALERT_TYPE = 'heartbeat';

/** Each miss is an alert of its own: the one before is completed, or has an owner and is theirs again. */
const POLICY: ProblemPolicy = { completesResolved: true, reopenWithinMs: 0, notifyAgainAfterMs: null };

/** By what the problem of a heartbeat is known. */
export const heartbeatKey = (id: string): string => `heartbeat ${id}`;

/** A heartbeat that a transaction has locked, with what becomes of it and what was sent along. */
export interface TakenStep {
  before: StoredHeartbeat;
  step: Step;
  /** When it happened. */
  at: number;
  /** Text of the call's body; empty without one. */
  body?: string;
}

const COLUMNS = Object.entries(HeartbeatEntity.options.columns).map(([property, column]) => ({
  property: property as keyof StoredHeartbeat,
  name: column?.name ?? property,
}));
const STORED_NAMES = COLUMNS.map(({ name }) => name);
const CHANGED_NAMES = STORED_NAMES.filter((name) => name !== 'id');
const BEAT_COLUMNS = ['heartbeat_id', 'slot', 'number', 'at', 'kind', 'duration_ms', 'exit_code', 'line', 'log'];

/** What a heartbeat is after a step. */
function after({ before, step, body = '' }: TakenStep): StoredHeartbeat {
  const { standing, bar } = step;
  const isMiss = bar?.kind === 'missing' || bar?.kind === 'overrun';
  const isBeat = bar !== undefined && bar.kind !== 'unjudged' && !isMiss;
  const beginsRun = standing.startedAt !== null && standing.startedAt !== before.startedAt;
  return {
    ...before,
    ...standingOf(standing),
    beats: before.beats + (bar ? 1 : 0),
    // A bar has what was sent along; a run that begins has nothing of the one before.
    runLog: isBeat || isMiss ? null : joinLog(beginsRun ? null : before.runLog, body) || null,
    ...(isBeat && { downtimeId: null }),
  };
}

/**
 * Stores what becomes of locked heartbeats, their beats and their alerts, as a part of a transaction: so a server that is killed has
 * stored all of it or nothing, and each miss makes one alert. The alerts are written as every source's are.
 *
 * @param arrivals maintenance windows and rules concern these alerts as they do all others
 */
export async function storeSteps(
  tx: Transaction,
  steps: readonly TakenStep[],
  arrivals: Arrivals,
): Promise<StoredHeartbeat[]> {
  const stored = steps.map(after);
  await storeHeartbeats(tx, stored);
  const bars = steps.flatMap((taken) => {
    const { bar } = taken.step;
    return bar ? [barRow(taken, bar)] : [];
  });
  await tx.runRows(
    (count) =>
      tx.dialect.upsertValues(insertSql('beats', BEAT_COLUMNS, count), 'heartbeat_id, slot', BEAT_COLUMNS.slice(2)),
    bars,
  );
  const reports = steps.flatMap((taken) => (taken.step.report ? [reportOf(taken)] : []));
  if (reports.length > 0) {
    const seen = createSeenNames();
    await writeIn(tx, reports, {
      dueIn: (alerts) => seen.dueIn(alerts),
      findEchoes: NO_ECHOES,
      ...arrivals,
    });
    announce(tx, { type: 'heartbeats_changed' });
  }
  return stored;
}

/** Writes locked rows as they are now. */
export const storeHeartbeats = (tx: Transaction, rows: readonly StoredHeartbeat[]): Promise<void> =>
  tx.runRows(
    (count) => tx.dialect.upsertValues(insertSql('heartbeats', STORED_NAMES, count), 'id', CHANGED_NAMES),
    rows.map((row) => COLUMNS.map(({ property }) => row[property])),
  );

function barRow({ before, body = '' }: TakenStep, bar: NonNullable<Step['bar']>): SqlValue[] {
  const number = before.beats + 1;
  const log = joinLog(before.runLog, body);
  return [
    before.id,
    slotOf(number),
    number,
    bar.at,
    bar.kind,
    bar.durationMs,
    bar.exitCode,
    lastLineOf(log),
    log === '' ? null : log,
  ];
}

/** What was sent along before and now, the last bytes of it. */
function joinLog(before: string | null, body: string): string {
  const text = [before ?? '', body].filter((part) => part !== '').join('\n');
  if (text.length * 3 <= PING_BODY_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= PING_BODY_BYTES) return text;
  // A character that is cut in two is left out.
  return bytes
    .subarray(-PING_BODY_BYTES)
    .toString('utf8')
    .replace(/^\uFFFD+/, '');
}

const LINE_LENGTH = 200;

function lastLineOf(log: string): string | null {
  const line = log.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? '';
  return line === '' ? null : line.slice(0, LINE_LENGTH).toWellFormed();
}

const time = (value: number | null): string | null => (value === null ? null : new Date(value).toISOString());

function reportOf(taken: TakenStep): IncomingDelivery {
  const { before, step, at, body = '' } = taken;
  const { report } = step;
  const log = joinLog(before.runLog, body);
  const payload = {
    heartbeat: before.name,
    problem: report,
    schedule: scheduleOf(before),
    graceSeconds: before.graceSeconds,
    dueAt: time(before.dueAt),
    startedAt: time(before.startedAt),
    lastBeatAt: time(before.lastBeatAt),
    // It may have called, and nobody was there.
    ...(report === 'missing' && before.downtimeId !== null && { noServerRan: true }),
    ...(step.bar?.exitCode != null && { exitCode: step.bar.exitCode }),
    ...(log !== '' && { log }),
  };
  return {
    source: SENDER,
    policy: POLICY,
    receivedAt: at,
    isOwn: true,
    events: [
      {
        title: titleLine(titleOf(taken)) ?? null,
        severity: report === 'resolved' ? 'none' : before.severity,
        state: report === 'resolved' ? 'resolved' : 'firing',
        dedupKey: heartbeatKey(before.id),
        groupTitle: null,
        groupKey: null,
        payload: jsonText(JSON.stringify(payload)),
        extraData: NO_EXTRA_DATA,
        customer: before.customer,
        alertType: ALERT_TYPE,
        url: `/heartbeats/${before.id}`,
        sender: null,
        isTest: false,
        delivery: undefined,
      },
    ],
  };
}

/** Of an alert that ends the headline stays as it was. */
function titleOf({ before: { name }, step: { report, bar } }: TakenStep): string {
  switch (report) {
    case 'missing':
      return `${name} is missing`;
    case 'overrun':
      return `${name} did not finish in time`;
    case 'failed':
      return bar?.exitCode == null ? `${name} failed` : `${name} failed with exit code ${bar.exitCode}`;
    default:
      return '';
  }
}
