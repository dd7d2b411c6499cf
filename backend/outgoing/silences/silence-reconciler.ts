import { IsNull, Not } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { latestFrom } from '#backend/platform/database/ahead.ts';
import { CLAIM_MS, IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import { catchUp } from './catch-up.ts';
import { LONGEST_PAUSE_MS, type ReconcileDeps, reconcileSilence } from './reconcile-silence.ts';
import { type HealthNews, type ReportSilencing, reportNews } from './silencing-health.ts';
import { SilenceEntity, SilencingEntity, type StoredSilence } from './silence-entities.ts';

/** Pause of a sender after a failure, in milliseconds. */
const SENDER_PAUSE_MS = 5_000;

/** Longest pause that a sender can ask for, in milliseconds. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Rows that are due, or due later than any row can be, because the clock was set back; and that nobody has claimed. */
const DUE = `(next_at <= ? OR next_at > ?) AND ${IS_FREE}`;
const dueAt = (now: number): number[] => [now, latestFrom(now, LONGEST_WAIT_MS + LONGEST_PAUSE_MS), ...freeAt(now)];

/** Dependencies of the reconciler of silences. */
export interface SilenceReconcilerDeps extends ReconcileDeps {
  logger: Logger;
  /** Alerts administrators to a sender that cannot be silenced, and to its recovery. */
  reportSilencing: ReportSilencing;
}

/** Reconciles silences that are due. */
export interface SilenceReconciler {
  /** Starts with the silences that are due now. Does not wait for senders. */
  keep(stopping: AbortSignal): Promise<void>;
  /** Waits for the requests in flight. */
  settled(): Promise<void>;
}

/** Handles each sender on its own, one silence after the other: a sender that hangs delays no other. */
export function createSilenceReconciler(deps: SilenceReconcilerDeps): SilenceReconciler {
  const { database, logger } = deps;
  const busy = new Map<string, Promise<void>>();
  /** Senders that failed, with the version of their settings: changed settings are tried at once. */
  const paused = new Map<string, { until: number; version: number }>();

  const announceHealth = (sourceId: string, news: NonNullable<HealthNews>): Promise<void> => {
    logger.warn({ source: sourceId, news: news.kind }, 'whether a sender can be silenced has changed');
    return reportNews(database, deps.reportSilencing, sourceId, news).catch((error: unknown) =>
      logger.error({ err: error }, 'administrators could not be alerted to a sender; the next attempt follows'),
    );
  };

  const drain = async ({ sourceId, version }: DueSource, stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const row = await claim(database, sourceId, await deps.steadyNow());
      if (!row) return;
      const { result, news, waitMs = 0 } = await reconcileSilence(deps, row, stopping);
      if (news) await announceHealth(sourceId, news);
      if (result !== 'failed' && result !== 'rate-limited') continue;
      const pauseMs = Math.min(LONGEST_WAIT_MS, Math.max(SENDER_PAUSE_MS, waitMs));
      paused.set(sourceId, { until: performance.now() + pauseMs, version });
      return;
    }
  };

  return {
    async keep(stopping) {
      // Settings that were switched on or off.
      for (const setting of await database.reads.getRepository(SilencingEntity).find(CHANGING)) {
        if (setting.isOn && setting.catchUpBefore !== null) await catchUp(database, setting);
        if (!setting.isOn && setting.alarmedAt !== null) await announceHealth(setting.id, { kind: 'recovered' });
      }
      const now = await deps.steadyNow();
      const due: DueSource[] = await database.reads.query(
        'SELECT DISTINCT source_id AS sourceId, COALESCE(version, 0) AS version FROM silences ' +
          `LEFT JOIN silencing ON silencing.id = source_id WHERE ${DUE}`,
        dueAt(now),
      );
      for (const source of due) {
        const { sourceId, version } = source;
        const pause = paused.get(sourceId);
        const isPaused = pause !== undefined && pause.version === version && pause.until > performance.now();
        if (busy.has(sourceId) || isPaused) continue;
        const work = drain(source, stopping)
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

/** A source with silences that are due, and the version of its settings. */
interface DueSource {
  sourceId: string;
  version: number;
}

/** Settings that need more than the reconciliation of their silences. */
const CHANGING = { where: [{ catchUpBefore: Not(IsNull()) }, { alarmedAt: Not(IsNull()) }] };

/** Claims the next silence of a source that is due. Other servers skip it while the claim holds. */
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
