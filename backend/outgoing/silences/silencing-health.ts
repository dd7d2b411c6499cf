import { CIRCUIT_FAILURES } from '#backend/outgoing/destinations/backoff.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { SilencingEntity } from './silence-entities.ts';

/** Result of one reconciliation for the health of the sender. */
export type ReconcileResult = 'ok' | 'failed' | 'rate-limited' | 'no-request';

/** Change that administrators are alerted to: a sender cannot be silenced, or can be again. */
export type HealthNews = { kind: 'failing'; reason: string } | { kind: 'recovered' } | undefined;

/** Reports news of a sender to administrators. */
export type ReportSilencing = (source: { id: string; name: string }, news: NonNullable<HealthNews>) => Promise<void>;

/** Counts consecutive failures of a sender. A rate limit is no failure: the sender answers. */
export async function recordHealth(
  tx: Transaction,
  sourceId: string,
  result: ReconcileResult,
  reason: string | null,
): Promise<HealthNews> {
  if (result !== 'ok' && result !== 'failed') return undefined;
  const [before] = await tx.lockRows(SilencingEntity, { id: sourceId });
  if (!before) return undefined;
  const failures = result === 'ok' ? 0 : before.failures + 1;
  if (failures !== 0 || before.failures !== 0) {
    await tx
      .getRepository(SilencingEntity)
      .update({ id: sourceId }, { failures, reason: failures === 0 ? null : reason });
  }
  if (failures >= CIRCUIT_FAILURES && before.alarmedAt === null) return { kind: 'failing', reason: reason ?? '' };
  return failures === 0 && before.alarmedAt !== null ? { kind: 'recovered' } : undefined;
}

/** Reports a change, then stores that it was reported. After a kill in between it is reported twice, to the same alert. */
export async function reportNews(
  database: Database,
  report: ReportSilencing,
  sourceId: string,
  news: NonNullable<HealthNews>,
): Promise<void> {
  const source = await database.reads.getRepository(SourceEntity).findOneBy({ id: sourceId });
  if (!source) return;
  await report({ id: sourceId, name: source.name }, news);
  const alarmedAt = news.kind === 'failing' ? Date.now() : null;
  await database.transaction((tx) => tx.getRepository(SilencingEntity).update({ id: sourceId }, { alarmedAt }));
}
