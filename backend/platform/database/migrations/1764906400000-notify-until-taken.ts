import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['outgoing_groups', 'outgoing_calendars', 'ladder_runs', 'ladder_steps'];

const byName = (table: string) => [
  new TableIndex({ name: `${table}_name`, columnNames: ['name_key'], isUnique: true }),
];

/** What tables of the release before have beside. */
function addedColumns(runner: QueryRunner) {
  const { id, longText } = dialectOf(runner);
  return [
    { table: 'outgoing_rules', name: 'ladder', type: longText() },
    { table: 'outgoing_destinations', name: 'owner_id', type: id() },
  ];
}

/**
 * Ladders of rules with groups and calendars, and destinations that are one member's. A server of an earlier release, which
 * knows none of them, may still run beside this one.
 */
export class ExpandByLadders1764906400000 implements MigrationInterface {
  readonly name = 'ExpandByLadders1764906400000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    const named = [
      { name: 'id', ...id(), isPrimary: true },
      { name: 'name', ...text(100) },
      { name: 'name_key', ...text(200) },
    ];
    const changed = [
      { name: 'changed_by', ...text(100) },
      { name: 'changed_at', ...time() },
      { name: 'created_at', ...time() },
      { name: 'version', type: 'int' },
    ];
    await create({
      name: 'outgoing_groups',
      columns: [...named, { name: 'member_ids', ...longText() }, ...changed],
      indices: byName('outgoing_groups'),
    });
    await create({
      name: 'outgoing_calendars',
      columns: [
        ...named,
        { name: 'sealed', ...longText(), isNullable: true },
        { name: 'address_hint', ...text(100), isNullable: true },
        { name: 'content', ...longText(), isNullable: true },
        { name: 'fetched_at', ...time(), isNullable: true },
        { name: 'tried_at', ...time(), isNullable: true },
        { name: 'next_at', ...time(), isNullable: true },
        { name: 'failure', ...text(300), isNullable: true },
        { name: 'overrides', ...longText() },
        ...changed,
      ],
      indices: byName('outgoing_calendars'),
    });
    await create({
      name: 'ladder_runs',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'alert_id', ...id() },
        { name: 'rule_id', ...id() },
        { name: 'rule_name', ...text(100) },
        { name: 'start_key', ...text(64) },
        { name: 'ladder', ...longText() },
        { name: 'state', ...text(8) },
        { name: 'position', type: 'int' },
        { name: 'counted_from', ...time() },
        { name: 'due_at', ...time() },
        { name: 'started_at', ...time() },
        { name: 'ended_at', ...time(), isNullable: true },
        { name: 'end_reason', ...text(16), isNullable: true },
        { name: 'ended_by', ...text(100), isNullable: true },
      ],
      indices: [
        // A row of the feed may be read twice, and begins a ladder once.
        new TableIndex({
          name: 'ladder_runs_start',
          columnNames: ['alert_id', 'rule_id', 'start_key'],
          isUnique: true,
        }),
        new TableIndex({ name: 'ladder_runs_due', columnNames: ['state', 'due_at'] }),
        new TableIndex({ name: 'ladder_runs_ended', columnNames: ['ended_at'] }),
      ],
    });
    await create({
      name: 'ladder_steps',
      columns: [
        { name: 'run_id', ...id(), isPrimary: true },
        { name: 'position', type: 'int', isPrimary: true },
        { name: 'fired_at', ...time() },
        { name: 'taken', ...longText() },
      ],
      indices: [new TableIndex({ name: 'ladder_steps_fired', columnNames: ['fired_at'] })],
    });
    for (const { table, name, type } of addedColumns(runner)) {
      // Where an upgrade was interrupted, the column is there.
      if (await runner.hasColumn(table, name)) continue;
      const encoding = type.charset ? ` CHARACTER SET ${type.charset} COLLATE ${type.collation}` : '';
      const length = type.length === undefined ? '' : `(${type.length})`;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${type.type}${length}${encoding} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, name } of addedColumns(runner)) {
      if (await runner.hasColumn(table, name)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    }
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
