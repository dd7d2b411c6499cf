import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const KEY = 'detail, owner_id, folder_id, status, customer, alert_type';

/**
 * On MySQL a counter may have several rows, whose sum it is, so that servers do not wait for each other. The release before
 * writes to slot 0. The embedded database writes one transaction after the other.
 */
export class ExpandCountsBySlots1764901600000 implements MigrationInterface {
  readonly name = 'ExpandCountsBySlots1764901600000';

  async up(runner: QueryRunner): Promise<void> {
    if (dialectOf(runner).name !== 'mysql' || (await runner.hasColumn('alert_counts', 'slot'))) return;
    await runner.query(
      'ALTER TABLE alert_counts ADD COLUMN slot smallint NOT NULL DEFAULT 0, ' +
        `DROP PRIMARY KEY, ADD PRIMARY KEY (${KEY}, slot)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (dialectOf(runner).name !== 'mysql' || !(await runner.hasColumn('alert_counts', 'slot'))) return;
    // Sums are moved and what they were made of is deleted together, for this may be killed in between.
    await runner.query('START TRANSACTION');
    await runner.query(
      `INSERT INTO alert_counts (${KEY}, slot, alerts) SELECT * FROM (SELECT ${KEY}, 0 AS slot, SUM(alerts) AS total ` +
        `FROM alert_counts GROUP BY ${KEY} HAVING MAX(alert_counts.slot) > 0) AS sums ON DUPLICATE KEY UPDATE alerts = sums.total`,
    );
    await runner.query('DELETE FROM alert_counts WHERE slot > 0');
    await runner.query('COMMIT');
    await runner.query(`ALTER TABLE alert_counts DROP PRIMARY KEY, DROP COLUMN slot, ADD PRIMARY KEY (${KEY})`);
  }
}
