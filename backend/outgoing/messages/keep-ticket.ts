import type { Verdict } from '#backend/outgoing/destinations/judge-answer.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { LiveMessageEntity, MAX_TICKET_KEY, type StoredLiveMessage } from './message-entity.ts';

/** How long after a change of ours the system of a ticket is asked about it, in milliseconds. */
const ASK_MS = 5 * 60 * 1000;

/** What names the ticket of an alert here. */
export type TicketPlace = Pick<StoredLiveMessage, 'destinationId' | 'alertId'>;

/** The ticket of an alert, which nobody else changes until the transaction ends. */
export async function lockTicket(
  tx: Transaction,
  { destinationId, alertId }: TicketPlace,
): Promise<StoredLiveMessage | undefined> {
  const [found]: unknown[] = await tx.query(
    `SELECT alert_id FROM outgoing_live WHERE destination_id = ? AND alert_id = ?${tx.dialect.forUpdate}`,
    [destinationId, alertId],
  );
  if (found === undefined) return undefined;
  return (await tx.getRepository(LiveMessageEntity).findOneBy({ destinationId, alertId })) ?? undefined;
}

/** Writes down the ticket of an alert and how we left it. While it is open, its system is asked about it from now on. */
export async function keepTicket(
  tx: Transaction,
  live: TicketPlace,
  { remote, key, url, state }: NonNullable<Verdict['ticket']>,
  at: number,
): Promise<void> {
  const before = await lockTicket(tx, live);
  const row = {
    ...live,
    remote,
    ticketKey: key?.slice(0, MAX_TICKET_KEY).toWellFormed() ?? before?.ticketKey ?? null,
    url: url === undefined ? (before?.url ?? null) : url,
    state,
    updatedAt: at,
    askAt: state === 'open' ? at + ASK_MS : null,
    revision: (before?.revision ?? 0) + 1,
  };
  if (before) await tx.getRepository(LiveMessageEntity).update(live, row);
  else await tx.getRepository(LiveMessageEntity).insert(row);
}
