import { queryOptions, useQueryClient } from '@tanstack/react-query';
import {
  type Silencing,
  type SilencingChange,
  silencingSchema,
  silencingTrySchema,
} from '#backend/contract/silence.ts';
import { SOURCES, sourcePath } from '#renderer/features/sources/data/get-sources.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';

/** How often silences are read again, in milliseconds. */
const READ_MS = 5_000;

const pathOf = (sourceId: string): string => `${sourcePath(sourceId)}/silencing`;

/** `GET /api/sources/{id}/silencing`. */
export const silencingQuery = (sourceId: string) =>
  queryOptions({
    queryKey: [SOURCES, sourceId, 'silencing'],
    queryFn: ({ signal }) => apiGet(pathOf(sourceId), silencingSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: READ_MS,
  });

/** What an administrator does with silencing at a source's sender. Each throws an ApiError. */
export function useSilencingCommands(sourceId: string) {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: silencingQuery(sourceId).queryKey });
  return {
    readAgain,
    /** 409 where others have saved since `version`, which is 0 where nothing was. */
    async save(body: SilencingChange, version: number): Promise<Silencing> {
      const path = `${pathOf(sourceId)}?ifVersion=${version}`;
      const silencing = await apiSend('PUT', path, { body, schema: silencingSchema });
      writeAnswer(client, silencingQuery(sourceId), () => silencing);
      return silencing;
    },
    tryOut: (body: SilencingChange) => apiSend('POST', `${pathOf(sourceId)}/try`, { body, schema: silencingTrySchema }),
    async end(id: string): Promise<void> {
      await apiSend('POST', `/api/silences/${encodeURIComponent(id)}/end`);
      await readAgain();
    },
    async retry(id: string): Promise<void> {
      await apiSend('POST', `/api/silences/${encodeURIComponent(id)}/retry`);
      await readAgain();
    },
  };
}
