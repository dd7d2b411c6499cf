import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLE = 'outgoing_live';
const INDEX = 'outgoing_live_ask';

/** What of a ticket stands beside what its system calls it. */
function addedColumns(runner: QueryRunner) {
  const { text, longText, time } = dialectOf(runner);
  return [
    { name: 'ticket_key', type: text(100) },
    { name: 'url', type: longText() },
    { name: 'state', type: text(8) },
    { name: 'ask_at', type: time() },
    { name: 'revision', type: { type: 'int' } },
  ];
}

/**
 * Tickets of problems, which are what live messages are in chats. A server of an earlier release, which knows none of the columns,
 * may still run beside this one: it sends to no ticket system.
 */
export class ExpandByTickets1764906600000 implements MigrationInterface {
  readonly name = 'ExpandByTickets1764906600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, type } of addedColumns(runner)) {
      // Where an upgrade was interrupted, the column is there.
      if (await runner.hasColumn(TABLE, name)) continue;
      const { charset, collation, length } = type as { charset?: string; collation?: string; length?: string };
      const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      const size = length === undefined ? '' : `(${length})`;
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${name} ${type.type}${size}${encoding} NULL`);
    }
    const table = await runner.getTable(TABLE);
    if (!table?.indices.some(({ name }) => name === INDEX)) {
      await runner.createIndex(TABLE, new TableIndex({ name: INDEX, columnNames: ['ask_at'] }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable(TABLE);
    if (table?.indices.some(({ name }) => name === INDEX)) await runner.dropIndex(TABLE, INDEX);
    for (const { name } of addedColumns(runner)) {
      if (await runner.hasColumn(TABLE, name)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${name}`);
    }
  }
}
