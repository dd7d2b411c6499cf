import { queryOptions, useQueryClient } from '@tanstack/react-query';
import {
  type MaintenanceWindow,
  type NewWindow,
  type Occurrence,
  type WindowChange,
  occurrenceListSchema,
  occurrenceSchema,
  windowListSchema,
  windowSchema,
} from '#backend/contract/maintenance.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { PATHS } from '#renderer/lib/paths.ts';

export const WINDOWS = '/api/maintenance/windows';
const OCCURRENCES = '/api/maintenance/occurrences';

/** `GET /api/maintenance/windows`: the live connection has it read again after each change. */
export const windowsQuery = queryOptions({
  queryKey: [WINDOWS],
  queryFn: ({ signal }) => apiGet(WINDOWS, windowListSchema, { signal }),
});

/** `GET /api/maintenance/occurrences`: the times that were on, from a moment on and up to another. */
export const occurrencesQuery = (times: { from?: string; to?: string } = {}) =>
  queryOptions({
    queryKey: [WINDOWS, 'occurrences', times],
    queryFn: ({ signal }) => apiGet(`${OCCURRENCES}?${new URLSearchParams(times)}`, occurrenceListSchema, { signal }),
    refetchOnMount: 'always',
  });

/** Whether a window is on: the server says so, by its own clock. */
export const isOn = ({ current }: MaintenanceWindow): boolean => current?.state === 'on';

/** The occurrences that are on, the one that ends first before the others. */
export const onNow = (windows: readonly MaintenanceWindow[]): Occurrence[] =>
  windows
    .filter(isOn)
    .flatMap(({ current }) => current ?? [])
    .toSorted((one, other) => Date.parse(one.endsAt) - Date.parse(other.endsAt));

/** The page of a window; `new` for one that is planned. */
export const pathOfWindow = (id: string): string => `${PATHS.maintenance}/${encodeURIComponent(id)}`;

/** The form of a new window that is about what a search finds. */
export const pathOfNewWindow = (search: string): string => `${pathOfWindow('new')}?${new URLSearchParams({ search })}`;

/** Changes of windows, after which the list is read again. They throw an ApiError. */
export function useWindowCommands() {
  const client = useQueryClient();
  const after = async <T>(call: Promise<T>): Promise<T> => {
    const result = await call;
    await client.invalidateQueries({ queryKey: [WINDOWS] });
    return result;
  };
  const onOccurrence = (id: string, command: string, body?: object): Promise<Occurrence> =>
    after(apiSend('POST', `${OCCURRENCES}/${encodeURIComponent(id)}/${command}`, { body, schema: occurrenceSchema }));
  return {
    create: (body: NewWindow) => after(apiSend('POST', WINDOWS, { body, schema: windowSchema })),
    change: ({ id, version }: Pick<MaintenanceWindow, 'id' | 'version'>, body: WindowChange) =>
      after(
        apiSend('PATCH', `${WINDOWS}/${encodeURIComponent(id)}?ifVersion=${version}`, { body, schema: windowSchema }),
      ),
    readAgain: () => client.invalidateQueries({ queryKey: [WINDOWS] }),
    end: (id: string) => onOccurrence(id, 'end'),
    resume: (id: string) => onOccurrence(id, 'resume'),
    extend: (id: string, minutes: number) => onOccurrence(id, 'extend', { minutes }),
  };
}
