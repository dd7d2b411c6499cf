import { Between, type EntityManager, In, IsNull, Not } from 'typeorm';
import { byName } from '#backend/contract/name.ts';
import type { Ticket } from '#backend/contract/ticket.ts';
import type { Destination } from '#backend/contract/outgoing.ts';
import type { OutgoingReceipt, OutgoingState, ReceiptList } from '#backend/contract/outgoing-receipt.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { DestinationEntity, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import type { DestinationUse } from '#backend/outgoing/destinations/present-destination.ts';
import {
  OutgoingRuleEntity,
  type StoredOutgoingRule,
  destinationsOfRule,
  ladderOfRule,
} from '#backend/outgoing/rules/rule-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { rulesNotifying } from '#backend/outgoing/rules/ladder-use.ts';
import { LiveMessageEntity, MessageEntity, type StoredMessage, readAttempts, readContent } from './message-entity.ts';

/** Receipts of one alert that are shown, and messages of one page of a list. */
export const MAX_RECEIPTS = 200;
const PAGE_MESSAGES = 100;

const HOUR_MS = 60 * 60 * 1000;
const SHOWN_HOURS = 24;

type Named = Pick<Destination, 'id' | 'name' | 'kind'> & { isOwn: boolean };

const presentReceipt = (message: StoredMessage, destinations: ReadonlyMap<string, Named>): OutgoingReceipt[] => {
  const destination = destinations.get(message.destinationId);
  if (!destination || message.event === 'update') return [];
  const { alert, group } = readContent(message).data;
  return [
    {
      id: message.id,
      alertId: message.alertId,
      alertTitle: alert.title,
      destinationId: destination.id,
      destinationName: destination.name,
      kind: destination.kind,
      ...(destination.isOwn && { isOwn: true }),
      event: message.event,
      ...(group && { alerts: group.alerts }),
      state: message.state,
      createdAt: new Date(message.createdAt).toISOString(),
      finishedAt: message.finishedAt === null ? null : new Date(message.finishedAt).toISOString(),
      nextAt: message.state === 'waiting' ? new Date(Math.max(message.nextAt, message.createdAt)).toISOString() : null,
      attemptCount: message.attempts,
      attempts: readAttempts(message),
    },
  ];
};

async function nameDestinations(reads: EntityManager): Promise<Map<string, Named>> {
  const found = await reads
    .getRepository(DestinationEntity)
    .find({ select: { id: true, name: true, kind: true, ownerId: true } });
  const owners = await findDisplayNames(
    reads,
    found.flatMap(({ ownerId }) => ownerId ?? []),
  );
  return new Map(
    found.map(({ id, name, kind, ownerId }) => {
      const owner = owners.get(ownerId ?? '');
      return [id, { id, kind, name: owner === undefined ? name : `${owner}, ${name}`, isOwn: ownerId !== null }];
    }),
  );
}

/** The newest receipts of an alert, the oldest of them first; those of messages about several alerts, too. */
export async function findReceipts(
  reads: EntityManager,
  alertId: string,
): Promise<Pick<ReceiptList, 'receipts' | 'hasOlder'>> {
  const groups: { id: string }[] = await reads.query(
    'SELECT DISTINCT message_id AS id FROM ladder_gathered WHERE alert_id = ? AND message_id IS NOT NULL ' +
      `ORDER BY message_id DESC LIMIT ${MAX_RECEIPTS + 1}`,
    [alertId],
  );
  const own = { alertId, event: Not<'update'>('update') };
  const messages = await reads.getRepository(MessageEntity).find({
    where: groups.length === 0 ? own : [own, { id: In(groups.map(({ id }) => id)) }],
    order: { id: 'DESC' },
    take: MAX_RECEIPTS + 1,
  });
  if (messages.length === 0) return { receipts: [] };
  const destinations = await nameDestinations(reads);
  const shown = messages.slice(0, MAX_RECEIPTS).toReversed();
  return {
    receipts: shown.flatMap((message) => presentReceipt(message, destinations)),
    ...(messages.length > MAX_RECEIPTS && { hasOlder: true }),
  };
}

/** Tickets of an alert, in the order of their destinations' names. */
export async function findTickets(reads: EntityManager, alertId: string): Promise<Ticket[]> {
  const rows = await reads.getRepository(LiveMessageEntity).findBy({ alertId, state: Not(IsNull()) });
  if (rows.length === 0) return [];
  const destinations = await nameDestinations(reads);
  return rows
    .flatMap(({ destinationId, remote, ticketKey, url, state }): Ticket[] => {
      const destination = destinations.get(destinationId);
      if (!destination || state === null) return [];
      return [{ destinationId, destinationName: destination.name, key: ticketKey ?? remote, url, state }];
    })
    .toSorted((one, other) => byName(one.destinationName, other.destinationName));
}

/** Whether rules are on that lead to a destination or have a ladder. */
export async function hasActiveRules(reads: EntityManager): Promise<boolean> {
  const rules = await reads.getRepository(OutgoingRuleEntity).findBy({ isOn: true });
  return rules.some((rule) => destinationsOfRule(rule).length > 0 || ladderOfRule(rule) !== null);
}

/** Messages of one or of all destinations in a state, the newest first; none to members' own channels. */
export async function findMessages(
  database: Pick<Database, 'reads' | 'dialect'>,
  asked: { destinationId?: string; state?: OutgoingState; before?: string },
): Promise<OutgoingReceipt[]> {
  const { reads } = database;
  const destinations = new Map([...(await nameDestinations(reads))].filter(([, { isOwn }]) => !isOwn));
  const { destinationId } = asked;
  if (destinationId !== undefined && !destinations.has(destinationId)) return [];
  const ids = await findNewest(database, asked, [...destinations.keys()]);
  if (ids.length === 0) return [];
  const messages = await reads.getRepository(MessageEntity).find({ where: { id: In(ids) }, order: { id: 'DESC' } });
  return messages.flatMap((message) => presentReceipt(message, destinations));
}

/**
 * The ids of a page of messages. Their texts are read for these alone. Of all states they are the last of the table; in one
 * state the index has those of each destination.
 */
async function findNewest(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  { destinationId, state, before }: { destinationId?: string; state?: OutgoingState; before?: string },
  destinationIds: readonly string[],
): Promise<string[]> {
  const find = async (from: string, where: string, values: readonly string[]): Promise<string[]> => {
    const rows: { id: string }[] = await reads.query(
      `SELECT id FROM ${from} WHERE ${where} AND event <> 'update'${before === undefined ? '' : ' AND id < ?'} ` +
        `ORDER BY id DESC LIMIT ${PAGE_MESSAGES}`,
      [...values, ...(before === undefined ? [] : [before])],
    );
    return rows.map(({ id }) => id);
  };
  const table = 'outgoing_messages';
  if (state !== undefined) {
    const found: string[] = [];
    for (const id of destinationId === undefined ? destinationIds : [destinationId])
      found.push(...(await find(table, 'destination_id = ? AND state = ?', [id, state])));
    return found.toSorted().toReversed().slice(0, PAGE_MESSAGES);
  }
  if (destinationId !== undefined) return find(table, 'destination_id = ?', [destinationId]);
  const isKnown = 'destination_id IN (SELECT id FROM outgoing_destinations WHERE owner_id IS NULL)';
  return find(`${table} ${dialect.byKey(table)}`, isKnown, []);
}

/** What is counted of each destination. */
export async function readUse(reads: EntityManager, now: number): Promise<(destinationId: string) => DestinationUse> {
  const lastHour = Math.floor(now / HOUR_MS);
  const counts: { id: string; hour: unknown; sent: unknown }[] = await reads.query(
    'SELECT destination_id AS id, hour, sent FROM outgoing_counts WHERE hour > ? AND hour <= ?',
    // None that a clock counted which ran ahead and was set back.
    [lastHour - SHOWN_HOURS, lastHour],
  );
  const states: { id: string; state: OutgoingState; found: unknown }[] = await reads.query(
    'SELECT destination_id AS id, state, COUNT(*) AS found FROM outgoing_messages ' +
      "WHERE destination_id IN (SELECT id FROM outgoing_destinations) AND state IN ('waiting', 'not-delivered') " +
      'GROUP BY destination_id, state',
  );
  const rules = await reads.getRepository(OutgoingRuleEntity).find();
  const phones = await reads.getRepository(DestinationEntity).find({
    select: { id: true, settings: true },
    where: { kind: 'phone', ownerId: Not(IsNull()), pausedAt: IsNull() },
  });
  const gatewayIds = phones.map((phone) => readSettings(phone).gatewayId);
  return (id) => {
    const sent = Array.from({ length: SHOWN_HOURS }, () => 0);
    for (const count of counts) {
      if (count.id === id) sent[SHOWN_HOURS - 1 - (lastHour - Number(count.hour))] = Number(count.sent);
    }
    const found = (state: OutgoingState) =>
      Number(states.find((one) => one.id === id && one.state === state)?.found ?? 0);
    return {
      sent,
      waiting: found('waiting'),
      notDelivered: found('not-delivered'),
      usedBy: rules
        .filter((rule) => destinationsOfRule(rule).includes(id) || notifies(rule, id))
        .map((rule) => ({ id: rule.id, name: rule.name }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      phones: gatewayIds.filter((gatewayId) => gatewayId === id).length,
    };
  };
}

/** Whether the ladder of a rule sends to a destination. */
const notifies = (rule: StoredOutgoingRule, id: string): boolean =>
  rulesNotifying([rule], 'destination', id).length > 0;

/** Alerts whose messages are counted in one statement. */
const COUNTED_AT_ONCE = 500;

/** Counts the messages about alerts that were made between two moments. */
export const createCountMessages =
  ({ reads }: Pick<Database, 'reads'>) =>
  async (alertIds: readonly string[], from: number, to: number): Promise<number> => {
    let count = 0;
    for (let at = 0; at < alertIds.length; at += COUNTED_AT_ONCE) {
      const some = alertIds.slice(at, at + COUNTED_AT_ONCE);
      count += await reads
        .getRepository(MessageEntity)
        .countBy({ alertId: In(some), createdAt: Between(from, to - 1), event: Not('update') });
    }
    return count;
  };
