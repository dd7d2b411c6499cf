import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Alerts whose notes are copied by one statement after the other before the next are looked for. */
const ALERTS_AT_ONCE = 200;

/**
 * The text of an alert's notes beside it, where searches look. The column may be empty, so both databases add it without
 * touching the rows; only alerts with notes are written. Each step may be repeated.
 */
export class SearchNotes1764901300000 implements MigrationInterface {
  readonly name = 'SearchNotes1764901300000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('alerts', 'note_text'))) {
      const { type, charset, collation } = dialectOf(runner).longText();
      const characters = charset === undefined ? '' : ` CHARACTER SET ${charset} COLLATE ${collation}`;
      await runner.query(`ALTER TABLE alerts ADD COLUMN note_text ${type}${characters} NULL`);
    }
    for (let after = ''; ;) {
      const ids: { id: string }[] = await runner.query(
        `SELECT DISTINCT alert_id AS id FROM alert_notes WHERE alert_id > ? ORDER BY alert_id LIMIT ${ALERTS_AT_ONCE}`,
        [after],
      );
      for (const { id } of ids) {
        const notes: { text: string }[] = await runner.query(
          'SELECT text FROM alert_notes WHERE alert_id = ? ORDER BY id',
          [id],
        );
        const text = notes.map((note) => note.text).join('\n');
        await runner.query('UPDATE alerts SET note_text = ? WHERE id = ?', [text, id]);
      }
      const last = ids.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts DROP COLUMN note_text');
  }
}
