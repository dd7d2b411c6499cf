import { MAX_SOURCES } from '#backend/contract/source.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';

/** Stores sources until so many more may be made. */
export async function fillSources(database: Pick<Database, 'transaction'>, left = 0): Promise<void> {
  await database.transaction(async (tx) => {
    const sources = tx.getRepository(SourceEntity);
    const rows = Array.from({ length: MAX_SOURCES - left - (await sources.count()) }, (_, number) => ({
      id: newId(),
      name: `Filled ${number}`,
      nameKey: `filled ${number}`,
      settings: '{}',
      pausedAt: null,
      pausedBy: null,
      recognisedAs: null,
      createdAt: Date.now(),
      version: 1,
    }));
    for (let at = 0; at < rows.length; at += 100) await sources.insert(rows.slice(at, at + 100));
  });
}
