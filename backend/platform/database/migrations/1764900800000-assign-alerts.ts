import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Dialect, dialectOf } from '#backend/platform/database/dialect.ts';

/** Alerts that one statement fills in. */
const AT_ONCE = 500;

/** What the column of the status holds of alerts that somebody works on. */
const OPEN = ['accepted', 'in-progress', 'snoozed-accepted', 'snoozed-progress'];

/** What people do to an alert: the newest of these is when it was touched last. */
const TOUCHES = "('accepted', 'status_change', 'move_folder', 'note_added', 'note_edited')";

/**
 * Who gave an alert to its owner, and when its owner changed it last; in histories to whom, with which note, and for how
 * long it was left alone. Open alerts take the time of their last change from their history. Each step may be repeated.
 */
export class AssignAlerts1764900800000 implements MigrationInterface {
  readonly name = 'AssignAlerts1764900800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(columnsOf(dialectOf(runner)))) {
      // As the database does it: TypeORM copies the whole table on SQLite.
      for (const [name, type] of Object.entries(columns)) {
        if (!(await runner.hasColumn(table, name))) {
          await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${type} NULL`);
        }
      }
    }
    for (const status of OPEN) await fillIn(runner, status);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alert_history WHERE action IN ('assigned', 'handed_over', 'returned')");
    for (const [table, columns] of Object.entries(columnsOf(dialectOf(runner)))) {
      for (const name of Object.keys(columns)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    }
  }
}

async function fillIn(runner: QueryRunner, status: string): Promise<void> {
  for (let after = ''; ;) {
    const rows: { id: string }[] = await runner.query(
      `SELECT id FROM alerts WHERE status = ? AND touched_at IS NULL AND id > ? ORDER BY id LIMIT ${AT_ONCE}`,
      [status, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    await runner.query(
      'UPDATE alerts SET touched_at = COALESCE((SELECT MAX(h.created_at) FROM alert_history h ' +
        `WHERE h.alert_id = alerts.id AND h.action IN ${TOUCHES}), received_at) ` +
        `WHERE id IN (${rows.map(() => '?').join(', ')})`,
      rows.map(({ id }) => id),
    );
    after = last.id;
  }
}

function columnsOf({ id, text, time }: Dialect): Record<string, Record<string, string>> {
  return {
    alerts: {
      assignment: sqlOf(text(12)),
      assigned_by_id: sqlOf(id()),
      assigned_by_name: sqlOf(text(100)),
      touched_at: sqlOf(time()),
    },
    alert_history: {
      assignee_name: sqlOf(text(100)),
      note: sqlOf(text(500)),
      untouched_hours: 'int',
    },
  };
}

function sqlOf({ type, length, charset, collation }: ReturnType<Dialect['text']>): string {
  const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
  return `${type}${length ? `(${length})` : ''}${encoding}`;
}
