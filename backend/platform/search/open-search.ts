import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { type SearchIndex, openSearchIndex } from './search-index.ts';
import { openSegmentIndex } from './segment-index.ts';

/** What is searched: the embedded database and its folder, or a database of a MySQL server. */
interface Searched {
  databaseUrl: string | undefined;
  databaseFile: string;
  dataDir: string;
  database: Pick<Database, 'reads' | 'longReads'>;
  events: EventBus;
}

/**
 * Opens the search index of whichever database there is.
 *
 * @param onFailure receives what went wrong; searches go on without the index.
 * @param indexedAfterMs how old alerts on MySQL are before they are indexed; default: as in production.
 */
export const openSearch = (
  { databaseUrl, databaseFile, dataDir, database: { reads, longReads }, events }: Searched,
  onFailure: (error: Error) => void,
  indexedAfterMs?: number,
): SearchIndex =>
  databaseUrl === undefined
    ? openSearchIndex({ databaseFile, dataDir, reads: longReads, events }, onFailure)
    : openSegmentIndex({ databaseUrl, reads, events }, onFailure, indexedAfterMs);
