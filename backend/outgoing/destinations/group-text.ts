import type { AlertSeverity } from '#backend/contract/alert.ts';
import { shortLine } from '#backend/contract/notices.ts';

/** How many alerts of a group have a severity and a customer. */
export interface GroupPart {
  severity: AlertSeverity | null;
  customer: string | null;
  alerts: number;
}

const MAX_CUSTOMER = 100;

/** What several alerts are together: "14 critical alerts of Harbor & Finch", "30 alerts of 3 customers, 2 of them critical". */
export function groupText(parts: readonly GroupPart[]): string {
  const count = (some: readonly GroupPart[]): number => some.reduce((sum, { alerts }) => sum + alerts, 0);
  const number = (some: readonly GroupPart[]): string => count(some).toLocaleString('en');
  const severities = new Set(parts.map(({ severity }) => severity ?? 'none'));
  const customers = new Set(parts.map(({ customer }) => customer));
  const [severity] = severities.size === 1 ? severities : [];
  const [customer] = customers;
  const named = severity === undefined || severity === 'none' ? '' : `${severity} `;
  const of =
    customers.size > 1
      ? ` of ${customers.size.toLocaleString('en')} customers`
      : customer == null
        ? ''
        : ` of ${shortLine(customer, MAX_CUSTOMER)}`;
  const critical = parts.filter((part) => part.severity === 'critical');
  const beside = severity === undefined && critical.length > 0 ? `, ${number(critical)} of them critical` : '';
  return `${number(parts)} ${named}${count(parts) === 1 ? 'alert' : 'alerts'}${of}${beside}`;
}
