import type { Logger, QueryRunner } from 'typeorm';
import type { Dialect } from './dialect.ts';

/** Knows whether the database has reported that its own files are damaged. */
export interface DamageWatch {
  /** For TypeORM's `logger` option: it is the one place that every failed statement passes. */
  logger: Logger;
  /** True while the statement that met the damage still does. */
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
    async isDamaged() {
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

/** A write is not run again; whoever reads what it met finds the damage too. What names the search index is not the database's. */
const isRepeatable = (sql: string): boolean => /^\s*SELECT\b/i.test(sql) && !/\bsearch\./.test(sql);
