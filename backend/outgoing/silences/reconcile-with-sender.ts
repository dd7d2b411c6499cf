import type { SilenceEnd } from '#backend/contract/silence.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type Actual, type SilenceQuery, type SenderApi, type Subject, markerOf } from './kinds/sender-kind.ts';
import type { StoredSilence } from './silence-entities.ts';

/** How often an active silence is compared with its sender, in milliseconds. */
export const CHECK_INTERVAL_MS = 60_000;

/** How long after its start a sender may not know all its alerts yet, in milliseconds. */
export const SETTLE_MS = 10 * 60_000;

/** The state at the sender that an alert needs. */
export type DesiredState =
  | { isWanted: false; why: SilenceEnd }
  | { isWanted: true; ownerName: string; comment: string; minutes: number };

/** Change of a silence's row. */
export type SilenceChange = Pick<
  StoredSilence,
  'silenceId' | 'state' | 'end' | 'ownerName' | 'endsAt' | 'missingSince' | 'nextAt' | 'finishedAt'
> & { isStopped?: true; mark?: string };

/** Times of one reconciliation. */
export interface ReconcileTimes {
  /** The time of day, by which the sender starts and ends a silence. */
  now: number;
  /** When the next reconciliation is due, by the steady clock. */
  dueAt: number;
  /** The end that an earlier request of unknown result asked for; null without one. */
  askedBefore?: number | null;
}

/** Result of one reconciliation. */
export interface Reconciled {
  change: SilenceChange;
  /** Whether the alert still fires at the sender; undefined where the sender was not asked. */
  fires?: boolean;
}

const NOTHING = {
  silenceId: null,
  end: null,
  ownerName: null,
  endsAt: null,
  missingSince: null,
  nextAt: null,
  finishedAt: null,
} as const;

/** End of a silence that is requested now. */
const endAfter = (minutes: number, now: number): number => now + minutes * 60_000;

/** Whether a silence has to be created, renewed, or given another owner. */
const isDueFor = (
  { silenceId, ownerName, endsAt }: Pick<StoredSilence, 'silenceId' | 'ownerName' | 'endsAt'>,
  desired: { ownerName: string; minutes: number },
  now: number,
): boolean =>
  silenceId === null || ownerName !== desired.ownerName || (endsAt ?? 0) - now <= (desired.minutes * 60_000) / 2;

/** The row with the request that is sent next; the row itself where none is needed. */
export function withIntent(row: StoredSilence, desired: DesiredState, now: number): StoredSilence {
  if (!desired.isWanted) {
    const isEnding = row.finishedAt === null && row.subject !== null && row.state !== 'ending';
    return isEnding ? { ...row, state: 'ending', end: desired.why } : row;
  }
  if (row.subject === null || !isDueFor(row, desired, now)) return row;
  const lengthMs = desired.minutes * 60_000;
  const left = (row.askedUntil ?? 0) - now;
  return {
    ...row,
    ...(row.silenceId === null && { state: row.state === 'held' ? 'held' : 'waiting', ownerName: desired.ownerName }),
    finishedAt: null,
    end: null,
    mark: row.mark ?? row.id,
    askedUntil: left > lengthMs / 2 && left <= lengthMs ? row.askedUntil : endAfter(desired.minutes, now),
  };
}

/**
 * Reads the state at the sender and changes it to the desired one. A server that was killed may have done a part of it: its
 * silence is recognized by the marker in the comment or by the requested end before another one is created.
 */
export async function reconcile(
  row: StoredSilence,
  desired: DesiredState,
  api: SenderApi,
  { now, dueAt, askedBefore = null }: ReconcileTimes,
  settleMs = SETTLE_MS,
): Promise<Reconciled> {
  if (!desired.isWanted) return { change: await end(row, desired.why, api, now) };
  const { ownerName, comment, minutes } = desired;
  if (row.subject === null) return { change: { ...NOTHING, state: 'impossible', ownerName, finishedAt: now } };
  const query = queryOf(row, [row.endsAt, askedBefore]);
  const actual = await api.read(query);
  const { ours } = actual;
  if (actual.isOver === true) {
    return { change: { ...NOTHING, state: 'ended', end: 'resolved', ownerName, finishedAt: now }, fires: false };
  }
  if (row.silenceId !== null && actual.isEndedThere === true && now < (row.endsAt ?? 0)) {
    // Somebody ended it there to be notified again: it is not created again until the alert is accepted again.
    return { change: { ...NOTHING, state: 'ended', end: 'ended-there', ownerName, isStopped: true, finishedAt: now } };
  }
  if (actual.isSilencedByOthers === true) {
    // The silence of somebody else stays as it is. A new mark keeps earlier requests from being taken for it.
    const mark = row.silenceId === null ? {} : { mark: newId() };
    return { change: { ...NOTHING, ...mark, state: 'held', ownerName, nextAt: dueAt }, fires: true };
  }
  const before = ours && {
    ...row,
    silenceId: ours.id,
    ownerName: ours.ownerName ?? row.ownerName,
    endsAt: ours.endsAt,
  };
  const kept = ours !== undefined && before && !isDueFor(before, desired, now) ? ours : undefined;
  const { id: silenceId, endsAt } =
    kept ??
    (await api.silence(
      query,
      {
        ownerName,
        comment: `${comment} ${markerOf(query.mark)}`,
        now,
        endsAt: isDueFor(row, desired, now) && row.askedUntil !== null ? row.askedUntil : endAfter(minutes, now),
      },
      actual,
    ));
  const active = { ...NOTHING, silenceId, state: 'active', ownerName, endsAt, nextAt: dueAt } as const;
  // Created just now: the next reconciliation reads it.
  if (ours === undefined) return { change: active };
  return stillFiring(row, query, api, active, { now, dueAt, settleMs });
}

/** Whether a silenced alert still fires, for senders that send nothing at its end. */
async function stillFiring(
  row: StoredSilence,
  query: SilenceQuery,
  api: SenderApi,
  active: SilenceChange,
  { now, dueAt, settleMs }: ReconcileTimes & { settleMs: number },
): Promise<Reconciled> {
  const { fires, upSince } = (await api.stillFires?.(query)) ?? { fires: true, upSince: undefined };
  if (fires) return { change: active, fires: true };
  const missingSince = row.missingSince ?? dueAt;
  const isResolved = dueAt - missingSince >= settleMs || (upSince !== undefined && now - upSince >= settleMs);
  return { change: { ...active, missingSince }, ...(isResolved && { fires: false }) };
}

/** The query for a row that has a subject. */
export const queryOf = (row: StoredSilence, ends: readonly (number | null)[]): SilenceQuery => ({
  subject: JSON.parse(row.subject ?? '{}') as Subject,
  mark: row.mark ?? row.id,
  madeId: row.silenceId,
  ownerName: row.ownerName,
  ends: ends.filter((at) => at !== null),
});

async function end(row: StoredSilence, why: SilenceEnd, api: SenderApi, now: number): Promise<SilenceChange> {
  const isOver = row.state === 'ended' && row.finishedAt !== null;
  // A silence that was ended by hand is resolved, too, once its alert is completed.
  const isDue = !isOver || (why === 'completed' && row.end !== 'completed');
  if (isDue && row.subject !== null) {
    const query = queryOf(row, [row.endsAt, row.askedUntil]);
    const actual: Actual = await api.read(query);
    if (actual.isOver !== true && why === 'completed' && api.resolve) await api.resolve(query);
    else if (actual.isOver !== true && actual.ours) await api.end(query, actual.ours);
  }
  return {
    ...NOTHING,
    state: 'ended',
    end: isOver && row.end !== null && why !== 'completed' ? row.end : why,
    ownerName: row.ownerName,
    finishedAt: isOver ? row.finishedAt : now,
  };
}
