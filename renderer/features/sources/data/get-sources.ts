import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Source, sourceListSchema, sourceSchema } from '#backend/contract/source.ts';
import { apiGet, apiGetAll } from '#renderer/lib/api-client.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';

/** Every query begins with this key that live events of sources have read again. */
export const SOURCES = '/api/sources';

/**
 * Key of the delivery log. It is no path: live events leave its rows as they are until they may change. After the id of a source
 * come its lists alone, as pages.
 */
export const DELIVERIES = 'delivery-log';

/** How often health is read again, in milliseconds: silence makes no event. */
const HEALTH_MS = 30_000;

export const sourcePath = (id: string): string => `${SOURCES}/${encodeURIComponent(id)}`;

/** `GET /api/sources`: all sources by name, with their health and their last 24 hours. */
export const sourcesQuery = queryOptions<Source[]>({
  queryKey: [SOURCES],
  queryFn: ({ signal }) => apiGetAll(SOURCES, sourceListSchema, { signal }),
  refetchOnMount: 'always',
  refetchInterval: HEALTH_MS,
});

/** `GET /api/sources/{id}`. Throws an ApiError, 404 when there is no such source. */
export const sourceQuery = (id: string) =>
  queryOptions<Source>({
    queryKey: [SOURCES, id],
    queryFn: ({ signal }) => apiGet(sourcePath(id), sourceSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: HEALTH_MS,
  });

/** Writes a source where it is shown: on its own page and in the list. */
export function putSource(client: QueryClient, source: Source): void {
  writeAnswer(client, sourceQuery(source.id), () => source);
  writeAnswer<Source[]>(client, sourcesQuery, (sources) => {
    if (!sources) return undefined;
    const isKnown = sources.some(({ id }) => id === source.id);
    return isKnown ? sources.map((other) => (other.id === source.id ? source : other)) : [...sources, source];
  });
}

/** Takes a deleted source off the list and forgets what was read of it. */
export function dropSource(client: QueryClient, id: string): void {
  writeAnswer<Source[]>(client, sourcesQuery, (sources) => sources?.filter((source) => source.id !== id));
  client.removeQueries({ queryKey: [SOURCES, id] });
  client.removeQueries({ queryKey: [DELIVERIES, id] });
  client.removeQueries({ queryKey: [DELIVERIES, 'samples', id] });
}
