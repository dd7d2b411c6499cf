import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { AFTER_SILENCE_MS, putOffReport } from '#backend/intake/write/awaited-reports.ts';
import { judgeError } from '#backend/outgoing/destinations/judge-answer.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';
import { pauseAfter } from '#backend/outgoing/destinations/backoff.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { SENDER_KINDS } from './kinds/all-senders.ts';
import { type SenderApi, SenderError, UnknownAlertError } from './kinds/sender-kind.ts';
import {
  CHECK_INTERVAL_MS,
  type ReconcileTimes,
  type SilenceChange,
  type DesiredState,
  queryOf,
  withIntent,
  reconcile,
} from './reconcile-with-sender.ts';
import { type ReportResolvedDeps, type ReportedAlert, reportResolved } from './report-resolved.ts';
import { targetOf } from './silencing-commands.ts';
import { type HealthNews, type ReconcileResult, recordHealth } from './silencing-health.ts';
import { SilenceEntity, SilencingEntity, type StoredSilence, type StoredSilencing } from './silence-entities.ts';

/** Limit of all requests of one reconciliation together, in milliseconds. */
const TOTAL_TIMEOUT_MS = 20_000;

/** Longest pause between attempts after a failure, in milliseconds. */
export const LONGEST_PAUSE_MS = 60_000;

/** Dependencies of reconciling a silence. */
export interface ReconcileDeps extends ReportResolvedDeps {
  /** Its transactions hold the lease: a server that does not lead any more stores nothing. */
  database: Database;
  post: Pick<Post, 'send'>;
  publicUrl: URL | undefined;
  sealing: Sealing;
  /** Milliseconds since the epoch, by a clock that ignores jumps of the time of day. */
  steadyNow: () => Promise<number>;
  /** How long after its start a sender may not know its alerts yet, in milliseconds; for tests. */
  settleMs?: number | undefined;
}

/** Columns of an alert that decide on its silence. */
type OwnedAlert = ReportedAlert & Pick<StoredAlert, 'ownerId' | 'status' | 'state'>;

/** Result of one reconciliation for the sender: a change of its health, and how long it asks to wait, in milliseconds. */
export interface Outcome {
  result: ReconcileResult;
  news: HealthNews;
  waitMs?: number | undefined;
}

const NO_REQUEST: Outcome = { result: 'no-request', news: undefined };

/** Brings the silence of an alert at its sender to the state that the alert needs now. */
export async function reconcileSilence(
  deps: ReconcileDeps,
  row: StoredSilence,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { database, steadyNow } = deps;
  const { reads } = database;
  const setting = (await reads.getRepository(SilencingEntity).findOneBy({ id: row.sourceId })) ?? undefined;
  const alert = (await reads.getRepository(AlertEntity).findOneBy({ id: row.alertId })) ?? undefined;
  const now = await steadyNow();
  if (!setting) {
    await record(database, row, over(row, now), 0, null);
    return NO_REQUEST;
  }
  const next = startingRow(setting, alert, row);
  const desired = await desiredStateOf(deps, setting, alert, row);
  let intended = row;
  let isAsked = false;
  const post: ReconcileDeps['post'] = {
    send(request, signal) {
      isAsked = true;
      return deps.post.send(request, signal);
    },
  };
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TOTAL_TIMEOUT_MS)]);
    const api = SENDER_KINDS[setting.kind].createApi(post, targetOf(deps.sealing, setting), signal);
    const times = { now: Date.now(), dueAt: now + CHECK_INTERVAL_MS, askedBefore: row.askedUntil };
    const isKept = isForAnother(row, next) && (await keepsOrEnds(api, row, desired, times));
    intended = await recordIntent(database, isKept ? row : next, desired);
    const { change, fires } = await reconcile(intended, desired, api, times, deps.settleMs);
    // What needed no request, such as a silence that is over, says nothing of the sender's health.
    const result = isAsked ? 'ok' : 'no-request';
    const news = await record(database, row, change, 0, null, result);
    if (fires === true) await database.transaction((tx) => putOffReport(tx, row.alertId, now + AFTER_SILENCE_MS));
    if (fires === false && alert) await reportResolved(deps, row.sourceId, alert, now);
    return { result, news };
  } catch (error) {
    if (stopping.aborted) return NO_REQUEST;
    return fail(deps, { row, intended, desired, now }, error);
  }
}

/** Stores a failure. An alert that the sender does not know is not tried again; a silence that cannot be ended expires by itself. */
async function fail(
  { database }: ReconcileDeps,
  { row, intended, desired, now }: { row: StoredSilence; intended: StoredSilence; desired: DesiredState; now: number },
  error: unknown,
): Promise<Outcome> {
  const fault = error instanceof SenderError ? error.message : judgeError(error).answer;
  if (error instanceof UnknownAlertError) {
    const change: SilenceChange = desired.isWanted
      ? { ...over(row, now), state: 'impossible', end: null, ownerName: desired.ownerName }
      : over({ ...row, end: desired.why }, now);
    const news = await record(database, row, change, 0, desired.isWanted ? fault : null, 'ok');
    return { result: 'ok', news };
  }
  const waitMs = error instanceof SenderError ? error.waitMs : undefined;
  const failures = row.failures + 1;
  const isOver = !desired.isWanted && row.endsAt !== null && Date.now() >= row.endsAt;
  const pauseMs = Math.max(waitMs ?? 0, Math.min(LONGEST_PAUSE_MS, pauseAfter(failures)));
  const change: SilenceChange = isOver
    ? over(row, now)
    : ({
        ...row,
        state: desired.isWanted ? wantedState(intended) : 'ending',
        end: desired.isWanted ? null : desired.why,
        silenceId: intended.silenceId,
        nextAt: now + pauseMs,
        finishedAt: null,
        mark: intended.mark ?? intended.id,
      } as SilenceChange);
  const result = waitMs === undefined ? 'failed' : 'rate-limited';
  const news = await record(database, row, change, failures, isOver ? null : fault, result, fault);
  return { result, news, waitMs };
}

/** State of a wanted silence after a failed attempt. A silence of somebody else stays theirs. */
const wantedState = ({ silenceId, state }: StoredSilence): StoredSilence['state'] => {
  if (silenceId !== null) return 'active';
  return state === 'held' ? 'held' : 'waiting';
};

const over = (row: StoredSilence, now: number): SilenceChange => ({
  silenceId: null,
  state: 'ended',
  end: row.end ?? 'released',
  ownerName: row.ownerName,
  endsAt: null,
  missingSince: null,
  nextAt: null,
  finishedAt: now,
});

/**
 * The row with which reconciliation starts. A silence that was over starts again with a new mark. So does one whose alert has
 * another name at the sender by now, such as the next event of a trigger.
 */
function startingRow(setting: StoredSilencing, alert: OwnedAlert | undefined, row: StoredSilence): StoredSilence {
  const found = alert && SENDER_KINDS[setting.kind].subjectOf(JSON.parse(alert.latestPayload ?? alert.payload));
  const subject = found === undefined ? row.subject : JSON.stringify(found);
  const isAnother = row.subject !== null && subject !== row.subject;
  if (row.finishedAt === null && !isAnother) return { ...row, subject };
  return { ...row, subject, mark: newId(), silenceId: null, endsAt: null, askedUntil: null };
}

/** Whether the alert of an active silence has another name at the sender by now. */
const isForAnother = (row: StoredSilence, next: StoredSilence): boolean =>
  row.finishedAt === null && row.subject !== null && row.subject !== next.subject;

/**
 * Ends the silence of the previous name, so that no silence stays without an owner. Several alerts of the sender may be one alert
 * here: the silenced one is kept while it fires there. Otherwise each report of another one would replace it.
 *
 * @returns whether the previous silence is kept
 */
async function keepsOrEnds(
  api: SenderApi,
  row: StoredSilence,
  desired: DesiredState,
  times: ReconcileTimes,
): Promise<boolean> {
  if (desired.isWanted && row.silenceId !== null) {
    const still = await api.stillFires?.(queryOf(row, [row.endsAt]));
    if (still?.fires === true) return true;
  }
  try {
    await reconcile(row, { isWanted: false, why: 'released' }, api, times);
  } catch (error) {
    if (!(error instanceof UnknownAlertError)) throw error;
  }
  return false;
}

/** The state that the alert needs now. Nothing that the sender reports makes a silence wanted. */
async function desiredStateOf(
  { database, publicUrl }: ReconcileDeps,
  setting: StoredSilencing,
  alert: OwnedAlert | undefined,
  row: StoredSilence,
): Promise<DesiredState> {
  if (!setting.isOn) return { isWanted: false, why: 'switched-off' };
  if (alert?.state === 'resolved') return { isWanted: false, why: 'resolved' };
  if (alert?.status === 'completed' && setting.resolvesCompleted) return { isWanted: false, why: 'completed' };
  if (!alert || alert.ownerId === null || alert.status === 'completed') return { isWanted: false, why: 'released' };
  if (row.isStopped) return { isWanted: false, why: row.end ?? 'ended-here' };
  const names = await findDisplayNames(database.reads, [alert.ownerId]);
  const link = publicUrl === undefined ? '' : ` ${new URL(`/alert/${alert.id}`, publicUrl).href}`;
  const ownerName = names.get(alert.ownerId) ?? PRODUCT_NAME;
  return {
    isWanted: true,
    ownerName,
    comment: `Accepted in ${PRODUCT_NAME} by ${ownerName}.${link}`,
    minutes: setting.minutes,
  };
}

/** Stores a request before it is sent, so that a server that continues after a kill recognizes its result. */
async function recordIntent(database: Database, row: StoredSilence, desired: DesiredState): Promise<StoredSilence> {
  const intended = withIntent(row, desired, Date.now());
  if (intended === row) return row;
  const { state, end, ownerName, mark, askedUntil, silenceId, endsAt, subject, finishedAt } = intended;
  const change = { state, end, ownerName, mark, askedUntil, silenceId, endsAt, subject, finishedAt };
  await database.transaction((tx) => tx.getRepository(SilenceEntity).update({ id: row.id }, change));
  return intended;
}

/** Stores the result, if the claim of this server still holds. If the alert has changed in the meantime, the row is due at once. */
async function record(
  database: Database,
  row: StoredSilence,
  change: SilenceChange,
  failures: number,
  fault: string | null,
  result?: ReconcileResult,
  reason: string | null = null,
): Promise<HealthNews> {
  return database.transaction(async (tx) => {
    const [stored] = await tx.lockRows(SilenceEntity, { id: row.id });
    if (!stored || stored.claimedUntil !== row.claimedUntil) return undefined;
    const { silenceId, state, end, ownerName, endsAt, missingSince, nextAt, finishedAt, isStopped, mark } = change;
    const isChanged = stored.revision !== row.revision;
    await tx.getRepository(SilenceEntity).update(
      { id: row.id },
      {
        silenceId,
        state,
        end,
        ownerName,
        endsAt,
        missingSince,
        finishedAt,
        nextAt: isChanged ? 0 : nextAt,
        failures,
        fault,
        claimedUntil: 0,
        ...(mark !== undefined && { mark }),
        // The result of the request is known now.
        ...(result === 'ok' && { askedUntil: null }),
        // The alert was accepted again in the meantime: that wins.
        ...(isStopped === true && !isChanged && { isStopped }),
      },
    );
    const isNews =
      state !== row.state || fault !== stored.fault || endsAt !== stored.endsAt || ownerName !== stored.ownerName;
    if (isNews) announce(tx, { type: 'outgoing_changed' });
    return result === undefined ? undefined : recordHealth(tx, row.sourceId, result, reason);
  });
}
