import type { ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import type { TicketReports } from '#backend/intake/webhooks/deliver.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** The marker of a ticket of an alert, or of one that tried a destination (see `kinds/ticket.ts`). */
const MARKER = /alertdesk(test)?([0-9a-f]{32})/;

/** Who reports tickets: ServiceNow and Zammad are not recognized. What monitoring sends is not looked through. */
const TICKET_SENDERS: ReadonlySet<ReadDelivery['sender']> = new Set(['jira', 'github', 'gitlab', 'generic']);

/** Longest body that is parsed for a marker, in characters: systems report a ticket with its texts, and little else. */
const MAX_BODY = 1024 * 1024;

/**
 * Where reports of ticket systems have what was written when the ticket was made: the description of Jira's, GitHub's and GitLab's
 * issues, the correlation id of ServiceNow, the note of Zammad. A marker anywhere else is a text like any other.
 */
const PLACES = [
  ['issue', 'fields', 'description'],
  ['issue', 'body'],
  ['issue', 'description'],
  ['object_attributes', 'description'],
  ['correlation_id'],
  ['ticket', 'note'],
] as const;

/** Takes reports about the tickets of alerts that are here, and has the server that leads ask about them at once. */
export function createTicketReports(database: Pick<Database, 'reads' | 'transaction'>): TicketReports {
  return {
    take(body, sender) {
      if (!TICKET_SENDERS.has(sender) || !body.includes('alertdesk')) return false;
      const marker = markerIn(body);
      return marker !== undefined && (marker.isTest || askNow(database, marker.alertId));
    },
  };
}

/** The marker in a report, where one stands where a system has it. */
export function markerIn(body: string): { alertId: string; isTest: boolean } | undefined {
  if (body.length > MAX_BODY || !MARKER.test(body)) return undefined;
  const report = parsed(body);
  for (const place of PLACES) {
    const text = place.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], report);
    const [, test, hex] = MARKER.exec(typeof text === 'string' ? text : '') ?? [];
    if (hex !== undefined) return { alertId: idOf(hex), isTest: test !== undefined };
  }
  return undefined;
}

/** A webhook of GitHub may be a form with the report in it. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body);
  } catch {
    return undefined;
  }
}

const idOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

/** @returns whether the alert has a ticket; another installation may have made this one */
async function askNow(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  alertId: string,
): Promise<boolean> {
  const [known]: unknown[] = await reads.query(
    'SELECT alert_id FROM outgoing_live WHERE alert_id = ? AND state IS NOT NULL UNION ' +
      // It may be made at this moment: then its own report is first.
      "SELECT alert_id FROM outgoing_messages WHERE alert_id = ? AND state = 'waiting' LIMIT 1",
    [alertId, alertId],
  );
  if (known === undefined) return false;
  await transaction(
    (tx) =>
      tx.query(
        'UPDATE outgoing_live SET ask_at = 0, revision = revision + 1 WHERE alert_id = ? AND state IS NOT NULL',
        [alertId],
      ),
    { waitsForDisk: false },
  );
  return true;
}
