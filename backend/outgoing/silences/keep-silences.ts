import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { policyOf } from '#backend/intake/webhooks/deliver.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { AFTER_SILENCE_MS, putOffReport } from '#backend/intake/write/awaited-reports.ts';
import { judgeError } from '#backend/outgoing/destinations/judge-answer.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';
import { pauseAfter } from '#backend/outgoing/destinations/backoff.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { SenderError, createSenderApi, labelsOf } from './alertmanager.ts';
import { LOOK_MS, type SilenceChange, type Wish, reconcile } from './reconcile.ts';
import { targetOf } from './silencing-commands.ts';
import { SilenceEntity, SilencingEntity, type StoredSilence, type StoredSilencing } from './silence-entities.ts';

/** How long a claim holds, in milliseconds, and how long all requests of one look may take. */
const CLAIM_MS = 25_000;
const LOOK_TOTAL_MS = 20_000;

/** A sender that failed is asked again after this, and a silence whose look failed after this at most, in milliseconds. */
const SENDER_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** What is due, or further away than anything ever is: then the clock was set back. */
const DUE = '(next_at <= ? OR next_at > ?) AND (claimed_until <= ? OR claimed_until > ?)';
const dueAt = (now: number): number[] => [now, now + 2 * LONGEST_PAUSE_MS, now, now + CLAIM_MS];

/** Dependencies of keeping silences. */
export interface KeepDeps {
  /** Its transactions hold the lease: a server that does not lead any more claims nothing and stores nothing. */
  database: Database;
  logger: Logger;
  post: Pick<Post, 'send'>;
  publicUrl: URL | undefined;
  sealing: Sealing;
  sources: Pick<SourceRegistry, 'load'>;
  /** Milliseconds since the epoch, by a clock that no jump can hurry. */
  steadyNow: () => Promise<number>;
  writer: Pick<AlertWriter, 'write'>;
  /** How long a sender that has started may not know its alerts; for tests. */
  settleMs?: number | undefined;
}

/** Looks at silences that are due. */
export interface SilenceKeeper {
  /** Begins with what is due now. Never waits for a sender. */
  keep(stopping: AbortSignal): Promise<void>;
  /** Waits for what is in flight. */
  settled(): Promise<void>;
}

/** What an alert has that decides on its silence. */
type OwnedAlert = Pick<
  StoredAlert,
  'id' | 'ownerId' | 'status' | 'state' | 'dedupKey' | 'payload' | 'latestPayload' | 'customer' | 'alertType' | 'url'
>;

/** Each sender by itself, one silence after the other, so that one that hangs keeps no other. */
export function createSilenceKeeper(deps: KeepDeps): SilenceKeeper {
  const { database, logger } = deps;
  const busy = new Map<string, Promise<void>>();
  const pausedUntil = new Map<string, number>();

  const drain = async (sourceId: string, stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const row = await claim(database, sourceId, await deps.steadyNow());
      if (!row) return;
      if (await look(deps, row, stopping)) continue;
      pausedUntil.set(sourceId, performance.now() + SENDER_PAUSE_MS);
      return;
    }
  };

  return {
    async keep(stopping) {
      const now = await deps.steadyNow();
      const due: { sourceId: string }[] = await database.reads.query(
        `SELECT DISTINCT source_id AS sourceId FROM silences WHERE ${DUE}`,
        dueAt(now),
      );
      for (const { sourceId } of due) {
        if (busy.has(sourceId) || (pausedUntil.get(sourceId) ?? 0) > performance.now()) continue;
        const work = drain(sourceId, stopping)
          .catch((error: unknown) => logger.error({ err: error, source: sourceId }, 'silences could not be kept'))
          .finally(() => busy.delete(sourceId));
        busy.set(sourceId, work);
      }
    },
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** The next silence of a source that is due, which this server alone looks at now. */
function claim(database: Database, sourceId: string, now: number): Promise<StoredSilence | undefined> {
  return database.transaction(async (tx) => {
    const [row]: { id: string }[] = await tx.query(
      `SELECT id FROM silences WHERE source_id = ? AND ${DUE} ORDER BY next_at, id LIMIT 1`,
      [sourceId, ...dueAt(now)],
    );
    if (!row) return undefined;
    await tx.query('UPDATE silences SET claimed_until = ? WHERE id = ?', [now + CLAIM_MS, row.id]);
    return (await tx.getRepository(SilenceEntity).findOneBy({ id: row.id })) ?? undefined;
  });
}

/** @returns whether the sender did what it was asked for */
async function look(deps: KeepDeps, row: StoredSilence, stopping: AbortSignal): Promise<boolean> {
  const { database, steadyNow } = deps;
  const { reads } = database;
  const setting = (await reads.getRepository(SilencingEntity).findOneBy({ id: row.sourceId })) ?? undefined;
  const alert = (await reads.getRepository(AlertEntity).findOneBy({ id: row.alertId })) ?? undefined;
  const wish = await wishOf(deps, setting, alert, row);
  const now = await steadyNow();
  if (!setting) {
    await record(database, row, over(row, now), 0, null);
    return true;
  }
  let noted = row;
  if (wish.isWanted && row.silenceId === null && wish.labels) {
    // Before it is made: who goes on after a kill looks for it.
    noted = { ...row, state: 'waiting', labels: JSON.stringify(wish.labels), finishedAt: null };
    await database.transaction((tx) =>
      tx.query(
        "UPDATE silences SET state = 'waiting', finished_at = NULL, end_reason = NULL, labels = ? WHERE id = ?",
        [noted.labels, row.id],
      ),
    );
  }
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_TOTAL_MS)]);
    const api = createSenderApi(deps.post, targetOf(deps.sealing, setting), signal);
    const { change, fires } = await reconcile(
      noted,
      wish,
      api,
      { now: Date.now(), dueAt: now + LOOK_MS },
      deps.settleMs,
    );
    await record(database, row, change, 0, null);
    if (fires === true) await database.transaction((tx) => putOffReport(tx, row.alertId, now + AFTER_SILENCE_MS));
    if (fires === false && alert) await reportResolved(deps, row.sourceId, alert, now);
    return true;
  } catch (error) {
    if (stopping.aborted) return true;
    const fault = error instanceof SenderError ? error.message : judgeError(error).answer;
    const failures = row.failures + 1;
    // What cannot be ended is over by itself at its end.
    const isOver = !wish.isWanted && row.endsAt !== null && Date.now() >= row.endsAt;
    const state = wish.isWanted ? (noted.silenceId === null ? 'waiting' : 'active') : 'ending';
    const change = isOver
      ? over(row, now)
      : {
          ...row,
          state,
          end: wish.isWanted ? null : wish.why,
          nextAt: now + Math.min(LONGEST_PAUSE_MS, pauseAfter(failures)),
          finishedAt: null,
        };
    await record(database, row, change as SilenceChange, failures, isOver ? null : fault);
    return false;
  }
}

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

/** What an alert needs of its sender, by the alert as it is now. Nothing that the sender reports makes a silence wanted. */
async function wishOf(
  { database, publicUrl }: KeepDeps,
  setting: StoredSilencing | undefined,
  alert: OwnedAlert | undefined,
  row: StoredSilence,
): Promise<Wish> {
  if (!setting?.isOn) return { isWanted: false, why: 'switched-off' };
  if (alert?.state === 'resolved') return { isWanted: false, why: 'resolved' };
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
    labels: row.labels === null ? labelsOf(alert.latestPayload ?? alert.payload) : JSON.parse(row.labels),
  };
}

/** Stores what a look came to, where this server's claim still holds. A change of the alert meanwhile is looked at, at once. */
async function record(
  database: Database,
  row: StoredSilence,
  change: SilenceChange,
  failures: number,
  fault: string | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [stored] = await tx.lockRows(SilenceEntity, { id: row.id });
    if (!stored || stored.claimedUntil !== row.claimedUntil) return;
    const { silenceId, state, end, ownerName, endsAt, missingSince, nextAt, finishedAt, isStopped } = change;
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
        // Accepted again meanwhile: that counts.
        ...(isStopped === true && !isChanged && { isStopped }),
      },
    );
    if (
      state !== stored.state ||
      fault !== stored.fault ||
      endsAt !== stored.endsAt ||
      ownerName !== stored.ownerName
    ) {
      announce(tx, { type: 'outgoing_changed' });
    }
  });
}

/** A silence keeps the sender from saying that its alert is over: it was asked, and this says it in its place. */
async function reportResolved(
  { sources, writer }: KeepDeps,
  sourceId: string,
  alert: OwnedAlert,
  now: number,
): Promise<void> {
  const source = await sources.load(sourceId);
  if (!source || alert.dedupKey === null) return;
  await writer.write({
    source: { id: source.id, name: source.name, secretId: null },
    isOwn: true,
    policy: policyOf(source.settings),
    receivedAt: now,
    events: [
      {
        payload: jsonText(alert.latestPayload ?? alert.payload),
        extraData: jsonText('{}'),
        customer: alert.customer,
        alertType: alert.alertType,
        url: alert.url,
        sender: null,
        groupKey: null,
        groupTitle: null,
        isTest: false,
        delivery: undefined,
        only: alert.id,
        title: null,
        severity: 'none',
        state: 'resolved',
        dedupKey: alert.dedupKey,
      },
    ],
  });
}
