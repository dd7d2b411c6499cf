import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

/** A scan has the source's open problems follow a changed setting (see `unreported-scan`). */
const SCAN = ['source_id', 'after_key'];
const WATCH = ['id', 'since_at', 'seen_at'];

/** Begins the scan of a source's open problems. */
export const beginScan = (tx: Transaction, sourceId: string): Promise<unknown> =>
  tx.query(tx.dialect.upsertValues(insertSql('report_scans', SCAN, 1), 'source_id', ['after_key']), [sourceId, '']);

/** The row of the servers; each other one is that of a source, by its id. */
export const SERVERS = 'server';

/**
 * Records since when reports can arrive: at the servers, or of a source that was paused before.
 *
 * @param seenAt when that was seen to be so last
 */
export const writeWatch = (tx: Transaction, id: string, since: number, seenAt: number): Promise<unknown> =>
  tx.query(tx.dialect.upsertValues(insertSql('report_watch', WATCH, 1), 'id', ['since_at', 'seen_at']), [
    id,
    since,
    seenAt,
  ]);
