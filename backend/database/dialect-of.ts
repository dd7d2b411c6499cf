import type { QueryRunner } from 'typeorm';
import { type Dialect, mysqlDialect, sqliteDialect } from './dialect.ts';

/** The dialect a migration runs in. */
export const dialectOf = (runner: QueryRunner): Dialect =>
  runner.dataSource.options.type === 'mysql' ? mysqlDialect : sqliteDialect;
