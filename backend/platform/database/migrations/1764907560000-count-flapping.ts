import type { MigrationInterface, QueryRunner } from 'typeorm';
import { firstIdAt } from '#backend/platform/database/ids.ts';

/** No release before this day noticed what flaps. */
const FIRST_DAY = Date.UTC(2026, 10, 26);

/**
 * Has Insight look again at the alerts that may have begun to flap: those with an entry in their history since releases notice
 * it. A server of an earlier release that runs beside this one cannot read what is counted then, and says that Insight cannot be
 * read.
 */
export class ExpandByFlappingFigures1764907560000 implements MigrationInterface {
  readonly name = 'ExpandByFlappingFigures1764907560000';

  async up(runner: QueryRunner): Promise<void> {
    const before = firstIdAt(FIRST_DAY);
    await runner.query('UPDATE insight_progress SET version = version + 1, history_id = ? WHERE history_id > ?', [
      before,
      before,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    // An earlier release reads no chunks of this one: it counts from the beginning.
    await runner.query('DELETE FROM insight_chunks');
    await runner.query("UPDATE insight_progress SET version = version + 1, alert_id = ''");
  }
}
