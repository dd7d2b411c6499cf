import type { SilenceEnd } from '#backend/contract/silence.ts';
import { type SenderApi, markerOf } from './alertmanager.ts';
import type { SilencedLabels, StoredSilence } from './silence-entities.ts';

/** How often the sender is asked about a silence that is active, in milliseconds. */
export const LOOK_MS = 60_000;

/** A sender that has just started does not know all its alerts yet, for so long, in milliseconds. */
export const SETTLE_MS = 10 * 60_000;

/** What an alert needs of its sender. */
export type Wish =
  | { isWanted: false; why: SilenceEnd }
  | { isWanted: true; ownerName: string; comment: string; minutes: number; labels: SilencedLabels | undefined };

/** What becomes of a silence's row. */
export type SilenceChange = Pick<
  StoredSilence,
  'silenceId' | 'state' | 'end' | 'ownerName' | 'endsAt' | 'missingSince' | 'nextAt' | 'finishedAt'
> & { isStopped?: true };

/** When a silence is looked at. */
export interface LookTimes {
  /** The time of day: by that the sender judges when a silence begins and ends. */
  now: number;
  /** When the next look is due, by the clock that no jump can hurry. */
  dueAt: number;
}

/** What a look at a silence came to. */
export interface Reconciled {
  change: SilenceChange;
  /** The sender says that the alert fires, or that it does not any more; undefined where it was not asked. */
  fires?: boolean;
}

/**
 * Makes the sender's silence what the alert needs, whatever it is there: each step may have been made before by a server that
 * was killed. A silence is found again by the marker in its comment before a second one is made.
 */
export async function reconcile(
  row: StoredSilence,
  wish: Wish,
  api: SenderApi,
  { now, dueAt }: LookTimes,
  settleMs = SETTLE_MS,
): Promise<Reconciled> {
  if (!wish.isWanted) return { change: await end(row, wish.why, api, now) };
  const { labels, ownerName, comment, minutes } = wish;
  if (!labels) return { change: { ...NOTHING, state: 'impossible', ownerName, finishedAt: now } };
  const known = row.silenceId === null ? undefined : await api.silence(row.silenceId);
  const isOver = known?.status.state === 'expired';
  // A change may have made another one of it, whose id was lost.
  const found = known && !isOver ? known : await api.find(labels.labels, markerOf(row.id));
  if (isOver && !found && now < (row.endsAt ?? 0)) {
    // Somebody wants to hear of it again: it is not made again before somebody accepts the alert again.
    return { change: { ...NOTHING, state: 'ended', end: 'ended-there', ownerName, isStopped: true, finishedAt: now } };
  }
  const lengthMs = minutes * 60_000;
  const isKept = found !== undefined && found.createdBy === ownerName && Date.parse(found.endsAt) - now > lengthMs / 2;
  const endsAt = isKept ? Date.parse(found.endsAt) : now + lengthMs;
  const silenceId = isKept
    ? found.id
    : await api.put({
        id: found?.id,
        labels: labels.labels,
        // A silence that has begun is changed in place only where its beginning stays.
        startsAt: found?.startsAt ?? new Date(now).toISOString(),
        endsAt: new Date(endsAt).toISOString(),
        createdBy: ownerName,
        comment: `${comment} ${markerOf(row.id)}`,
      });
  const active = { ...NOTHING, silenceId, state: 'active', ownerName, endsAt, nextAt: dueAt } as const;
  // Made just now: the next look asks.
  if (found === undefined) return { change: active };
  if (await api.fires(labels)) return { change: active, fires: true };
  const missingSince = row.missingSince ?? dueAt;
  const { upSince } = await api.status();
  const isResolved = dueAt - missingSince >= settleMs || (upSince !== undefined && now - upSince >= settleMs);
  return { change: { ...active, missingSince }, ...(isResolved && { fires: false }) };
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

async function end(row: StoredSilence, why: SilenceEnd, api: SenderApi, now: number): Promise<SilenceChange> {
  const { labels } = row;
  if (row.state !== 'ended' && labels !== null) {
    const found =
      row.silenceId === null
        ? await api.find((JSON.parse(labels) as SilencedLabels).labels, markerOf(row.id))
        : await api.silence(row.silenceId);
    if (found && found.status.state !== 'expired') await api.expire(found.id);
  }
  const isOver = row.state === 'ended' && row.finishedAt !== null;
  return {
    ...NOTHING,
    state: 'ended',
    end: isOver && row.end !== null ? row.end : why,
    ownerName: row.ownerName,
    finishedAt: isOver ? row.finishedAt : now,
  };
}
