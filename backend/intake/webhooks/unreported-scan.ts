import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { AWAITED_COLUMNS, DUE_COLUMNS } from '#backend/intake/write/awaited-reports.ts';
import { unreportedAfter } from './deliver.ts';

/** Problems that one step of a scan looks at, and the pause after it in milliseconds. */
const BATCH = 200;
const PAUSE_MS = 20;

/** Dependencies of a scan. */
interface ScanDeps {
  database: Database;
  sources: Pick<SourceRegistry, 'get'>;
}

interface ScannedProblem {
  dedupKey: string;
  alertId: string;
  status: string | null;
  state: string | null;
  seenAt: unknown;
}

/**
 * Has the open problems of sources whose setting changed follow it, also those that were reported before: with a fixed time their
 * next report is due by it, else only a report that comes says when. In small steps, each of which notes how far it came.
 */
export async function scanSources(deps: ScanDeps, stopping: AbortSignal): Promise<void> {
  const { database } = deps;
  for (;;) {
    const rows: { sourceId: string; afterKey: string }[] = await database.reads.query(
      'SELECT source_id AS sourceId, after_key AS afterKey FROM report_scans ORDER BY source_id LIMIT 1',
    );
    const [scan] = rows;
    if (!scan || stopping.aborted) return;
    await scanStep(deps, scan);
    await pause(PAUSE_MS, stopping);
  }
}

async function scanStep(
  { database, sources }: ScanDeps,
  { sourceId, afterKey }: { sourceId: string; afterKey: string },
): Promise<void> {
  const problems: ScannedProblem[] = await database.reads.query(
    'SELECT p.dedup_key AS dedupKey, p.alert_id AS alertId, a.status AS status, a.state AS state, ' +
      'COALESCE(a.last_seen_at, a.received_at) AS seenAt FROM problems p LEFT JOIN alerts a ON a.id = p.alert_id ' +
      `WHERE p.source_id = ? AND p.dedup_key > ? ORDER BY p.dedup_key LIMIT ${BATCH}`,
    [sourceId, afterKey],
  );
  const source = sources.get(sourceId);
  const age = source && unreportedAfter(source.settings).unreportedAfter;
  const open = problems.filter(
    ({ status, state }) =>
      status !== null && status !== 'completed' && (state === 'firing' || state === 'acknowledged'),
  );
  await database.transaction(async (tx) => {
    const ids = problems.map(({ alertId }) => alertId);
    if (typeof age === 'number') {
      await tx.runRows(
        (rows) => tx.dialect.upsertValues(insertSql('awaited_reports', AWAITED_COLUMNS, rows), 'alert_id', DUE_COLUMNS),
        open.map(({ alertId, seenAt }) => [alertId, sourceId, Number(seenAt) + age, Number(seenAt) + age]),
      );
    } else if (ids.length > 0) {
      await tx.query(`DELETE FROM awaited_reports WHERE alert_id IN (${marksOf(ids)})`, ids);
    }
    const last = problems.at(-1);
    // A change that was made meanwhile began the scan again: its place is another one.
    const where = 'WHERE source_id = ? AND after_key = ?';
    if (last && problems.length === BATCH) {
      await tx.query(`UPDATE report_scans SET after_key = ? ${where}`, [last.dedupKey, sourceId, afterKey]);
    } else {
      await tx.query(`DELETE FROM report_scans ${where}`, [sourceId, afterKey]);
    }
  });
}
