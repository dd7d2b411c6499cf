import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import {
  type Heartbeat,
  type HeartbeatChange,
  type HeartbeatSchedule,
  type HeartbeatState,
  type NewHeartbeat,
  beatLogSchema,
  heartbeatListSchema,
  heartbeatSchema,
  heartbeatTimesSchema,
  heartbeatWithAddressSchema,
} from '#backend/contract/heartbeat.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { PATHS } from '#renderer/lib/paths.ts';

const HEARTBEATS = '/api/heartbeats';

/** An address that was made just now, and whose. */
export interface MadeAddress {
  id: string;
  url: string;
}

/** The address of a new heartbeat on its way to that heartbeat's page, which takes it out. */
export const madeAddressAtom = atom<MadeAddress | undefined>(undefined);

export const pathOfHeartbeat = (id: string): string => `${PATHS.heartbeats}/${encodeURIComponent(id)}`;
const callOf = (id: string): string => `${HEARTBEATS}/${encodeURIComponent(id)}`;

/** Heartbeats of one answer, and how often they are read again: what is late is so by time alone, in milliseconds. */
export const PAGE = 50;
const READ_AGAIN_MS = 30_000;

/** `GET /api/heartbeats`: by state and name, page by page. */
export const heartbeatsQuery = (q: string, state: HeartbeatState | undefined) =>
  infiniteQueryOptions({
    queryKey: [HEARTBEATS, 'list', q, state ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ limit: String(PAGE), offset: String(pageParam) });
      if (q !== '') parameters.set('q', q);
      if (state !== undefined) parameters.set('state', state);
      return apiGet(`${HEARTBEATS}?${parameters}`, heartbeatListSchema, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, _pages, offset) => (offset + PAGE < total ? offset + PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: READ_AGAIN_MS,
  });

/** `GET /api/heartbeats/{id}`. */
export const heartbeatQuery = (id: string) =>
  queryOptions({
    queryKey: [HEARTBEATS, 'one', id],
    queryFn: ({ signal }) => apiGet(callOf(id), heartbeatSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: READ_AGAIN_MS,
    retry: false,
  });

/** `GET /api/heartbeats/{id}/beats/{number}`: what was sent along with a beat, which never changes. */
export const beatLogQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['/api/heartbeats-log', id, number],
    queryFn: ({ signal }) => apiGet(`${callOf(id)}/beats/${number}`, beatLogSchema, { signal }),
    staleTime: Infinity,
    retry: false,
  });

/** `GET /api/heartbeat-times`: the next times of a schedule as it is written. The last ones stay while others are read. */
export const timesQuery = (schedule: HeartbeatSchedule) => {
  const parameters =
    schedule.kind === 'interval'
      ? new URLSearchParams({ everySeconds: String(schedule.everySeconds) })
      : new URLSearchParams({ expression: schedule.expression, timeZone: schedule.timeZone });
  return queryOptions({
    queryKey: ['/api/heartbeat-times', String(parameters)],
    queryFn: ({ signal }) => apiGet(`/api/heartbeat-times?${parameters}`, heartbeatTimesSchema, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
};

/** Changes of heartbeats, each of which reads them again. They throw an ApiError. */
export function useHeartbeatCommands() {
  const client = useQueryClient();
  const after = async <T>(call: Promise<T>): Promise<T> => {
    const result = await call;
    await client.invalidateQueries({ queryKey: [HEARTBEATS] });
    return result;
  };
  return {
    create: (body: NewHeartbeat) => after(apiSend('POST', HEARTBEATS, { body, schema: heartbeatWithAddressSchema })),
    change: ({ id, version }: Pick<Heartbeat, 'id' | 'version'>, body: HeartbeatChange) =>
      after(apiSend('PATCH', `${callOf(id)}?ifVersion=${version}`, { body, schema: heartbeatSchema })),
    pause: (id: string, isPaused: boolean) =>
      after(apiSend('PATCH', callOf(id), { body: { isPaused }, schema: heartbeatSchema })),
    renewAddress: (id: string) =>
      after(apiSend('POST', `${callOf(id)}/address`, { schema: heartbeatWithAddressSchema })),
    readAgain: () => client.invalidateQueries({ queryKey: [HEARTBEATS] }),
    remove: (id: string) => after(deleteAt(callOf(id))),
    closeDowntime: (id: string) => after(apiSend('DELETE', `/api/heartbeat-downtimes/${encodeURIComponent(id)}`)),
  };
}
