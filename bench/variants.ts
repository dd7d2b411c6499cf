import { announce } from '#backend/platform/live/event-bus.ts';
import type BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { AlertEntity, NO_PROBLEM, publishedAlert } from '#backend/alerts/alert/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { ServerParts } from '#backend/server/server-parts.ts';

/** The ways to run the product that the bench compares. */
export type Variant =
  | 'group commit'
  | 'without the delivery log'
  | 'save() per request'
  | 'synchronous=NORMAL'
  | 'push service here';

/** How a variant differs from the product. */
interface Difference {
  /** What takes the place of the product's own parts. */
  parts?: ServerParts;
  /** What is done to the database once the server runs. */
  prepare?: (database: Database) => Promise<void>;
}

/** The product itself is "group commit". */
export const VARIANTS: Record<Variant, Difference> = {
  'group commit': {},

  'without the delivery log': { parts: { hasNoDeliveryLog: true } },

  // The alert alone, without the history, customers and types that the product stores with it.
  'save() per request': {
    parts: {
      createWriter: (database) => ({
        async write({ source, receivedAt, events: [event] }) {
          if (!event) return [];
          const { customer, alertType, url, payload, extraData } = event;
          const inbox = { status: 'pending', ownerId: null, folderId: null } as const;
          const sourceName = source.name;
          const alert = {
            ...NO_PROBLEM,
            id: uuidv7(),
            receivedAt,
            customer,
            alertType,
            url,
            payload,
            extraData,
            sourceName,
          };
          await database.transaction(async (tx) => {
            await tx.getRepository(AlertEntity).save({ ...alert, ...inbox });
            announce(tx, { type: 'new_alert', alert: publishedAlert({ ...alert, ...inbox }, null) });
          });
          return [{ outcome: 'new', alertId: alert.id, receivedAt, occurrences: 1 }];
        },
        queued: () => ({ alerts: 0, bytes: 0 }),
        expectRoom: () => undefined,
        stop: async () => {},
      }),
    },
  },

  // The product refuses to run like this: the last alerts that were answered may be gone after a power cut.
  'synchronous=NORMAL': {
    async prepare(database) {
      const writer = await database.transaction(
        async (tx) => (await tx.queryRunner?.connect()) as BetterSqlite3.Database,
      );
      // Between transactions: within one SQLite refuses it, and a server begins some by itself.
      while (writer.inTransaction) await new Promise(setImmediate);
      writer.pragma('synchronous = NORMAL');
      if (writer.pragma('synchronous', { simple: true }) !== 1) throw new Error('SQLite refused synchronous=NORMAL.');
      keepSynchronous(writer);
    },
  },

  // The product, with the bench's push service for an internet: BENCH_PUSH_CERTIFICATE is what vouches for it.
  'push service here': {
    parts: {
      push: {
        isAllowedAddress: (address) => address === '127.0.0.1',
        resolve: async () => ['127.0.0.1'],
        ca: process.env['BENCH_PUSH_CERTIFICATE'] ?? '',
      },
    },
  },
};

/** Transactions set again what their commits wait for, and ask what was set: from now on they receive the answer that they expect. */
function keepSynchronous(writer: BetterSqlite3.Database): void {
  const pragma = writer.pragma.bind(writer);
  let wanted = '';
  writer.pragma = (source, options) => {
    const [name, value = wanted] = source.split(' = ');
    if (name !== 'synchronous') return pragma(source, options);
    wanted = value;
    return Number(wanted);
  };
}

export const isVariant = (name: string | undefined): name is Variant => name !== undefined && name in VARIANTS;
