import type { MayEcho } from '#backend/intake/adapters/adapter.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import { type StoredProblem, problemKey } from './problem-rows.ts';

/** A report that may only repeat what Alertdesk has asked its sender for. */
export interface PossibleEcho {
  alertId: string;
  mayEcho: MayEcho;
  /** When it came, in milliseconds since the epoch. */
  receivedAt: number;
}

/** Which of these reports only repeat what Alertdesk has asked for. */
export type FindEchoes = (tx: Transaction, possible: readonly PossibleEcho[]) => Promise<readonly PossibleEcho[]>;

/** Where no sender is asked for anything. */
export const NO_ECHOES: FindEchoes = async () => [];

const keyOf = (alertId: string, mayEcho: MayEcho): string => `${alertId} ${mayEcho}`;

/** Says which reports of a batch change nothing. Asks only where one says what Alertdesk may have asked for. */
export async function echoesOf(
  tx: Transaction,
  deliveries: readonly IncomingDelivery[],
  problems: ReadonlyMap<string, StoredProblem>,
  findEchoes: FindEchoes,
): Promise<(alertId: string, event: Pick<IncomingEvent, 'mayEcho'>) => boolean> {
  const possible: PossibleEcho[] = [];
  for (const { source, receivedAt, events } of deliveries) {
    for (const { mayEcho, dedupKey } of events) {
      const alertId = mayEcho && problems.get(problemKey(source.id, dedupKey ?? ''))?.alert?.id;
      if (alertId !== undefined && mayEcho) possible.push({ alertId, mayEcho, receivedAt });
    }
  }
  if (possible.length === 0) return () => false;
  const found = new Set((await findEchoes(tx, possible)).map(({ alertId, mayEcho }) => keyOf(alertId, mayEcho)));
  return (alertId, { mayEcho }) => mayEcho !== undefined && found.has(keyOf(alertId, mayEcho));
}
