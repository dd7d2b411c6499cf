import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['heartbeats', 'beats', 'heartbeat_downtimes', 'heartbeat_watch'];

/** Heartbeats with their last beats. A server of an earlier release, which knows none of them, may still run beside this one. */
export class ExpandByHeartbeats1764907000000 implements MigrationInterface {
  readonly name = 'ExpandByHeartbeats1764907000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'heartbeats',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'name', ...text(100) },
        { name: 'name_key', ...text(200) },
        { name: 'sort_key', ...text(255) },
        { name: 'customer', ...text(200), isNullable: true },
        { name: 'schedule', ...longText() },
        { name: 'grace_seconds', type: 'int' },
        { name: 'severity', ...text(8) },
        { name: 'source_id', ...id(), isNullable: true },
        { name: 'token_hash', ...text(64) },
        { name: 'token_hint', ...text(8) },
        { name: 'status', ...text(8) },
        { name: 'down_reason', ...text(8), isNullable: true },
        { name: 'down_since', ...time(), isNullable: true },
        { name: 'due_at', ...time(), isNullable: true },
        { name: 'late_at', ...time(), isNullable: true },
        { name: 'judge_at', ...time(), isNullable: true },
        { name: 'started_at', ...time(), isNullable: true },
        { name: 'run_id', ...text(36), isNullable: true },
        { name: 'paused_at', ...time(), isNullable: true },
        { name: 'paused_by', ...text(100), isNullable: true },
        { name: 'last_beat_at', ...time(), isNullable: true },
        { name: 'beats', type: 'int' },
        { name: 'run_log', ...longText(), isNullable: true },
        { name: 'downtime_id', ...id(), isNullable: true },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
        { name: 'created_at', ...time() },
        { name: 'version', type: 'int' },
      ],
      indices: [
        new TableIndex({ name: 'heartbeats_name', columnNames: ['name_key'], isUnique: true }),
        new TableIndex({ name: 'heartbeats_token', columnNames: ['token_hash'], isUnique: true }),
        // What is to be judged next. Null, and so at one end of it, is what nothing is expected of.
        new TableIndex({ name: 'heartbeats_judge', columnNames: ['judge_at'] }),
        new TableIndex({ name: 'heartbeats_downtime', columnNames: ['downtime_id'] }),
      ],
    });
    await create({
      name: 'beats',
      columns: [
        { name: 'heartbeat_id', ...id(), isPrimary: true },
        { name: 'slot', type: 'int', isPrimary: true },
        { name: 'number', type: 'int' },
        { name: 'at', ...time() },
        { name: 'kind', ...text(8) },
        { name: 'duration_ms', ...time(), isNullable: true },
        { name: 'exit_code', type: 'int', isNullable: true },
        { name: 'line', ...text(200), isNullable: true },
        { name: 'log', ...longText(), isNullable: true },
      ],
    });
    await create({
      name: 'heartbeat_downtimes',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'from_at', ...time() },
        { name: 'to_at', ...time() },
        { name: 'heartbeats', type: 'int' },
        { name: 'is_settled', type: 'boolean' },
      ],
    });
    await create({
      name: 'heartbeat_watch',
      columns: [
        { name: 'id', ...text(8), isPrimary: true },
        { name: 'seen_at', ...time() },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
