import { uuidv7 } from 'uuidv7';
import { AlertEntity } from '#backend/alerts/alert-entity.ts';
import type { ServerParts } from '#backend/server.ts';

/** The ways to take an alert that the bench compares; everything before and after the writer is the same server. */
export type IngestVariant = 'group commit' | 'no database' | 'save() per request';

export const INGEST_VARIANTS: readonly IngestVariant[] = ['no database', 'group commit', 'save() per request'];

/** What each variant puts in the place of the product's writer. */
export const ingestParts: Record<IngestVariant, ServerParts> = {
  'group commit': {},

  'no database': {
    createWriter: () => ({
      write: async ({ receivedAt }) => ({ id: uuidv7(), receivedAt }),
      queued: () => ({ alerts: 0, bytes: 0 }),
      stop: async () => {},
    }),
  },

  // The alert alone, without the history, customers and types that the product stores with it.
  'save() per request': {
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
};
