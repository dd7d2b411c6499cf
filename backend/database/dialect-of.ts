import type { DataSource } from 'typeorm';
import { type Dialect, mysqlDialect, sqliteDialect } from './dialect.ts';

/** The dialect of a migration's query runner, or of a transaction. */
export const dialectOf = ({ dataSource }: { dataSource: DataSource }): Dialect =>
  dataSource.options.type === 'mysql' ? mysqlDialect : sqliteDialect;
