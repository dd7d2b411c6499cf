import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ListIndex, makeIndex } from '#backend/platform/database/list-index.ts';

/**
 * The state stands behind the severity, so that each group of the order by severity is a range of ids. Alerts with neither
 * are found by the index of their status; on SQLite this one costs them nothing.
 */
const WITH_STATE: Record<string, ListIndex> = {
  alerts_by_severity: {
    columns: 'status, severity, state, id, source_id, customer, alert_type',
    where: 'severity IS NOT NULL OR state IS NOT NULL',
  },
  alerts_by_status: { columns: 'status, id, customer, alert_type, severity, source_id, state' },
  alerts_queue: {
    columns: 'owner_id, folder_id, status, id, severity, source_id, state',
    where: 'owner_id IS NOT NULL',
  },
};

/** The same before. */
const WITHOUT_STATE: Record<string, ListIndex> = {
  alerts_by_severity: {
    columns: 'status, severity, id, source_id, customer, alert_type',
    where: 'severity IS NOT NULL',
  },
  alerts_by_status: { columns: 'status, id, customer, alert_type, severity, source_id' },
  alerts_queue: { columns: 'owner_id, folder_id, status, id, severity, source_id', where: 'owner_id IS NOT NULL' },
};

/** Lists by severity with acknowledged alerts after those that fire, and resolved ones last. Each step may be repeated. */
export class OrderBySeverityAndState1764900400000 implements MigrationInterface {
  readonly name = 'OrderBySeverityAndState1764900400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, index] of Object.entries(WITH_STATE)) await makeIndex(runner, name, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, index] of Object.entries(WITHOUT_STATE)) await makeIndex(runner, name, index);
  }
}
