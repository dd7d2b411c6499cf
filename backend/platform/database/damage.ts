import { type Logger, QueryFailedError, type QueryRunner } from 'typeorm';
import type { Dialect } from './dialect.ts';

/** Knows whether the database has reported that its own files are damaged. */
export interface DamageWatch {
  /** For TypeORM's `logger` option: every failed statement passes it, but for those that are prepared here. */
  logger: Logger;
  /** Receives why a transaction failed. A write that met damage is not run again, so this is remembered until the next start. */
  failed(error: unknown): void;
  /** True while the read that met damage still does, and since a write has. */
  isDamaged(): Promise<boolean>;
}

const ignore = () => undefined;

/**
 * @param run runs a statement again, on a connection that has nothing but the database: where the search index is attached,
 * the damage may be in that
 */
export function watchDamage(
  dialect: Dialect,
  run: (sql: string, parameters: unknown[] | undefined) => Promise<unknown>,
): DamageWatch {
  let suspect: { sql: string; parameters: unknown[] | undefined } | undefined;
  let hasFailedWrite = false;
  return {
    logger: {
      logQueryError(error: string | Error, sql: string, parameters?: unknown[], _runner?: QueryRunner) {
        if (dialect.isDamaged(error) && isRepeatable(sql)) suspect = { sql, parameters };
      },
      logQuery: ignore,
      logQuerySlow: ignore,
      logSchemaBuild: ignore,
      logMigration: ignore,
      log: ignore,
    },
    failed(error) {
      const isRead = error instanceof QueryFailedError && isRepeatable(error.query);
      if (!isRead && dialect.isDamaged(error)) hasFailedWrite = true;
    },
    async isDamaged() {
      if (hasFailedWrite) return true;
      if (!suspect) return false;
      const { sql, parameters } = suspect;
      try {
        await run(sql, parameters);
        suspect = undefined;
        return false;
      } catch (error) {
        // Another error says nothing of the damage.
        return dialect.isDamaged(error);
      }
    },
  };
}

/** Whether a statement may be run again to see: it changes nothing, and what names the search index is not the database's. */
const isRepeatable = (sql: string): boolean => /^\s*SELECT\b/i.test(sql) && !/\bsearch\./.test(sql);
