import type { EntitySchemaColumnOptions } from 'typeorm';

/** MySQL's driver hands BIGINT over as text; milliseconds since the epoch fit a number. */
const milliseconds = {
  from: (value: unknown) => (value === null || value === undefined ? null : Number(value)),
  to: (value: unknown) => value,
};

/** Entity column of an id (UUIDv7 as text). */
export const idColumn = (name: string): EntitySchemaColumnOptions => ({ type: 'varchar', length: 36, name });

/** Entity column of text; `length` in characters. */
export const textColumn = (name: string, length: number): EntitySchemaColumnOptions => ({
  type: 'varchar',
  length,
  name,
});

/** Entity column of long text. */
export const longTextColumn = (name: string): EntitySchemaColumnOptions => ({ type: 'text', name });

/** Entity column of a moment, in milliseconds since the epoch, UTC. */
export const timeColumn = (name: string): EntitySchemaColumnOptions => ({
  type: 'bigint',
  name,
  transformer: milliseconds,
});

/** The column may be empty. */
export const nullable = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  ...column,
  nullable: true,
});

/** The column is the table's key, or part of it. */
export const primary = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, primary: true });
