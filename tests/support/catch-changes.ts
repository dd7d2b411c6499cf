import type { Database } from '#backend/platform/database/database.ts';
import type { Change } from '#backend/platform/live/event-bus.ts';

/** The same database, with what transactions through it announce, once they are committed. */
export function catchChanges(database: Database): { database: Database; changes: Change[] } {
  const changes: Change[] = [];
  const transaction: Database['transaction'] = async (work, options) => {
    let announced: object[] = [];
    const result = await database.transaction((tx) => {
      announced = tx.changes;
      return work(tx);
    }, options);
    changes.push(...(announced as Change[]));
    return result;
  };
  return { database: { ...database, transaction }, changes };
}

/** As the command line does it, beside the server: nothing is announced to it, so no alert of the member returns meanwhile. */
export const unannounced = ({ transaction, ...database }: Database): Database => ({
  ...database,
  transaction: (work, options) =>
    transaction(async (tx) => {
      const result = await work(tx);
      tx.changes.length = 0;
      return result;
    }, options),
});
