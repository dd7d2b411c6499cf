import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** A folder's name in the history is for the folder's owner alone, so entries say who that is. Each step may be repeated. */
export class AddFolderOwnerToHistory1764400000000 implements MigrationInterface {
  readonly name = 'AddFolderOwnerToHistory1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id } = dialectOf(runner);
    const { type, length, charset, collation } = id();
    const table = await runner.getTable('alert_history');
    if (!table?.findColumnByName('folder_owner_id')) {
      // As SQL: TypeORM would copy the whole table on SQLite.
      const text = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      await runner.query(`ALTER TABLE alert_history ADD COLUMN folder_owner_id ${type}(${length})${text} NULL`);
    }
    // Of an alert that was never returned, the owner is who filed it. Whose folders the other entries name is not known.
    await runner.query(
      'UPDATE alert_history SET folder_owner_id = (SELECT owner_id FROM alerts WHERE alerts.id = alert_history.alert_id) ' +
        "WHERE action = 'move_folder' AND folder_owner_id IS NULL AND alert_id NOT IN " +
        "(SELECT alert_id FROM (SELECT DISTINCT alert_id FROM alert_history WHERE action = 'unaccepted') AS returned)",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alert_history DROP COLUMN folder_owner_id');
  }
}
