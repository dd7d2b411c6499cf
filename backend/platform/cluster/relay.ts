import { EntitySchema, LessThan } from 'typeorm';
import { idColumn, longTextColumn, primary, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';

/** A message that went through the database. */
export interface StoredRelayedMessage {
  serverId: string;
  /** Of its server's, in order. */
  number: number;
  /** By the database's clock; of servers of the release before, by their own. */
  sentAt: number;
  body: string;
}

export const RelayedMessageEntity = new EntitySchema<StoredRelayedMessage>({
  name: 'RelayedMessage',
  tableName: 'relayed_messages',
  columns: {
    serverId: primary(idColumn('server_id')),
    number: { type: 'int', name: 'number', primary: true },
    sentAt: timeColumn('sent_at'),
    body: longTextColumn('body'),
  },
});

/** Others read every second, so a message is not kept longer, in milliseconds. */
const KEPT_MS = 10_000;

/** What a server left that was killed is deleted by others after so long. */
const LEFT_MS = 10 * 60_000;

/** What may wait to be written, in messages and UTF-16 units. Beyond it the oldest are let go, which others notice. */
const MAX_MESSAGES = 200;
const MAX_SIZE = 4 * 1024 * 1024;

/** Of so many servers it is known up to where their messages were read. */
const MAX_SERVERS = 100;

/** The way between servers that is left when Redis is away, or one of them is cut off from it: a table of the database. */
export interface Relay {
  /** Queues a message. Nobody waits for it. */
  add(message: string): void;
  /** Writes what is queued. @throws {Error} when the database cannot be written; it stays queued */
  write(): Promise<void>;
  /** The messages of other servers since the last time, in order for each. @throws {Error} when the database cannot be read */
  read(): Promise<string[]>;
  /** Deletes what this server wrote. */
  clear(): Promise<void>;
}

/** @param now the database's clock: servers whose own differ by minutes would take each other's messages for old ones */
export function createRelay(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  serverId: string,
  now: () => number,
): Relay {
  let queue: string[] = [];
  let size = 0;
  let number = 0;
  const readTo = new Map<string, number>();

  return {
    add(message) {
      queue.push(message);
      size += message.length;
      while (queue.length > 1 && (queue.length > MAX_MESSAGES || size > MAX_SIZE)) size -= queue.shift()?.length ?? 0;
    },
    async write() {
      // What is queued while this is written is not among them.
      const messages = [...queue];
      if (messages.length === 0) return;
      const first = number + 1;
      await transaction(async (tx) => {
        const old = [{ serverId, sentAt: LessThan(now() - KEPT_MS) }, { sentAt: LessThan(now() - LEFT_MS) }];
        for (const one of old) await tx.getRepository(RelayedMessageEntity).delete(one);
        const insert = insertSql('relayed_messages', ['server_id', 'number', 'sent_at', 'body'], messages.length);
        await tx.query(
          // They may be there already: of a commit that was not answered nobody knows whether it was made.
          tx.dialect.ignoreExisting(insert, 'number'),
          messages.flatMap((body, index) => [serverId, first + index, now(), body]),
        );
      });
      number += messages.length;
      const written = new Set(messages);
      queue = queue.filter((message) => !written.has(message));
      size = queue.reduce((sum, { length }) => sum + length, 0);
    },
    async read() {
      const seen = [...readTo];
      const rows: { serverId: string; number: number; sentAt: string | number; body: string }[] = await reads.query(
        'SELECT server_id AS serverId, number, sent_at AS sentAt, body FROM relayed_messages WHERE server_id <> ? ' +
          `${seen.map(() => 'AND NOT (server_id = ? AND number <= ?) ').join('')}ORDER BY server_id, number`,
        [serverId, ...seen.flat()],
      );
      for (const row of rows) readTo.set(row.serverId, row.number);
      // So many servers are remembered; messages that are read twice have no news.
      for (const [id] of seen.slice(0, -MAX_SERVERS)) readTo.delete(id);
      const left = rows.filter(({ sentAt }) => Number(sentAt) < now() - LEFT_MS);
      if (left.length > 0) {
        await transaction((tx) => tx.getRepository(RelayedMessageEntity).delete({ sentAt: LessThan(now() - LEFT_MS) }));
      }
      return rows.filter((row) => !left.includes(row)).map(({ body }) => body);
    },
    async clear() {
      await transaction((tx) => tx.getRepository(RelayedMessageEntity).delete({ serverId }));
    },
  };
}
