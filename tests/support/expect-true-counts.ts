import { expect } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';

interface Count {
  detail: number;
  owner: string;
  folder: string;
  status: string;
  customer: string;
  type: string;
  alerts: unknown;
}

const GROUP = "COALESCE(owner_id, '') AS owner, COALESCE(folder_id, '') AS folder, status";

/** The counter rows say what counting the alerts one by one says. */
export async function expectTrueCounts({ reads }: Database): Promise<void> {
  const kept: Count[] = await reads.query(
    'SELECT detail, owner_id AS owner, folder_id AS folder, status, customer, alert_type AS type, SUM(alerts) AS alerts ' +
      'FROM alert_counts GROUP BY detail, owner_id, folder_id, status, customer, alert_type HAVING SUM(alerts) <> 0',
  );
  const counted: Count[] = await reads.query(
    `SELECT 0 AS detail, ${GROUP}, '' AS customer, '' AS type, COUNT(*) AS alerts FROM alerts GROUP BY 2, 3, 4 UNION ALL ` +
      `SELECT 1, ${GROUP}, COALESCE(customer, ''), COALESCE(alert_type, ''), COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
      "SELECT 2, '', '', status, COALESCE(customer, ''), COALESCE(alert_type, ''), COUNT(*) FROM alerts " +
      "WHERE status <> 'pending' GROUP BY 4, 5, 6 UNION ALL " +
      `SELECT 3, ${GROUP}, COALESCE(source_id, ''), COALESCE(severity, ''), COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
      "SELECT 4, '', '', status, COALESCE(source_id, ''), COALESCE(severity, ''), COUNT(*) FROM alerts " +
      "WHERE status <> 'pending' GROUP BY 4, 5, 6",
  );
  expect(asLines(kept)).toEqual(asLines(counted));
}

const asLines = (counts: Count[]): string[] =>
  counts
    .map((row) =>
      JSON.stringify([row.detail, row.owner, row.folder, row.status, row.customer, row.type, row.alerts].map(String)),
    )
    .sort();
