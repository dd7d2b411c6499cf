import type BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { AlertEntity } from '#backend/alerts/alert-entity.ts';
import type { Database } from '#backend/database/database.ts';
import type { ServerParts } from '#backend/server.ts';

/** The ways to run the product that the bench compares. */
export type Variant = 'group commit' | 'save() per request' | 'synchronous=NORMAL' | 'push service here';

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

  // The alert alone, without the history, customers and types that the product stores with it.
  'save() per request': {
    parts: {
      createWriter: (database, onStored) => ({
        async write(alert) {
          const id = uuidv7();
          const { customer, alertType, url, payload, extraData, receivedAt } = alert;
          const owner = { status: 'pending', ownerId: null, folderId: null } as const;
          await database.transaction((tx) =>
            tx
              .getRepository(AlertEntity)
              .save({ id, receivedAt, customer, alertType, url, payload, extraData, ...owner }),
          );
          onStored(alert, id);
          return { id, receivedAt };
        },
        queued: () => ({ alerts: 0, bytes: 0 }),
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
      // Between transactions: within one SQLite refuses it.
      writer.pragma('synchronous = NORMAL');
      if (writer.pragma('synchronous', { simple: true }) !== 1) throw new Error('SQLite refused synchronous=NORMAL.');
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

export const isVariant = (name: string | undefined): name is Variant => name !== undefined && name in VARIANTS;
