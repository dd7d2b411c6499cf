import { type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import type { Alert } from '#backend/contract/alert.ts';
import {
  type CustomerMute,
  type MuteEnd,
  type SourceMute,
  alertTypeListSchema,
  customerMuteSchema,
  exceptionKey,
  muteEndListSchema,
  mutedNameListSchema,
  sourceMuteSchema,
} from '#backend/contract/mute.ts';
import { type SourceName, sourceNameListSchema } from '#backend/contract/sender.ts';
import { apiGet, apiGetAll } from '#renderer/lib/api-client.ts';

export const customerMuteListSchema = z.array(customerMuteSchema);

/** `GET /api/customer-mutes`: the customers that I do not want to be notified of. */
export const customerMutesQuery = queryOptions<CustomerMute[]>({
  queryKey: ['/api/customer-mutes'],
  queryFn: ({ signal }) => apiGetAll('/api/customer-mutes', customerMuteListSchema, { signal }),
  refetchOnMount: 'always',
});

const sourceMuteListSchema = z.array(sourceMuteSchema);

const readSourceMutes = (signal: AbortSignal): Promise<SourceMute[]> =>
  apiGetAll('/api/source-mutes', sourceMuteListSchema, { signal });

/** Reads what of a kind is muted, as alerts have it: ids of sources, else names. */
export async function readMuted(kind: MuteEnd['kind'], signal: AbortSignal): Promise<string[]> {
  if (kind === 'customer') return apiGetAll('/api/customer-mutes/names', mutedNameListSchema, { signal });
  if (kind === 'alert_type') return apiGetAll('/api/alert-types/mutes', alertTypeListSchema, { signal });
  return (await readSourceMutes(signal)).map(({ sourceId }) => sourceId);
}

/** `GET /api/customer-mutes/names`: their names, as alerts have them. */
export const mutedNamesQuery = queryOptions<string[]>({
  queryKey: ['/api/customer-mutes', 'names'],
  queryFn: ({ signal }) => readMuted('customer', signal),
  refetchOnMount: 'always',
});

/** `GET /api/alert-types/mutes`: the types that I do not want to be notified of. */
export const alertTypeMutesQuery = queryOptions<string[]>({
  queryKey: ['/api/alert-types', 'mutes'],
  queryFn: ({ signal }) => readMuted('alert_type', signal),
  refetchOnMount: 'always',
});

/** `GET /api/source-mutes`: the sources that I do not want to be notified of. */
export const sourceMutesQuery = queryOptions<SourceMute[]>({
  queryKey: ['/api/source-mutes'],
  queryFn: ({ signal }) => readSourceMutes(signal),
  refetchOnMount: 'always',
});

/** `GET /api/mute-ends`: the mutes that will end, the next first. */
export const muteEndsQuery = queryOptions<MuteEnd[]>({
  queryKey: ['/api/mute-ends'],
  queryFn: ({ signal }) => apiGet('/api/mute-ends', muteEndListSchema, { signal }),
  refetchOnMount: 'always',
});

/** The keys of what exceptions and the preview of them are read by (`exceptions.ts`). */
export const EXCEPTIONS_KEY = ['/api/notification-exceptions'] as const;
export const PREVIEW_KEY = ['/api/notification-preview'] as const;

/** What shows or applies mutes, and is read again when one begins or ends. */
export const MUTE_KEYS: readonly QueryKey[] = [
  alertTypeMutesQuery.queryKey,
  customerMutesQuery.queryKey,
  mutedNamesQuery.queryKey,
  sourceMutesQuery.queryKey,
  muteEndsQuery.queryKey,
  EXCEPTIONS_KEY,
  PREVIEW_KEY,
];

/** `GET /api/source-names`: the sources that there are, by name. */
export const sourceNamesQuery = queryOptions<SourceName[]>({
  queryKey: ['/api/source-names'],
  queryFn: ({ signal }) => apiGet('/api/source-names', sourceNameListSchema, { signal }),
  refetchOnMount: 'always',
});

/** Whether an alert's customer, type or source is among what is muted. */
export const isAmongMuted = (
  muted: ReadonlySet<string>,
  { customer, alertType, sourceId = '' }: Pick<Alert, 'customer' | 'alertType' | 'sourceId'>,
): boolean =>
  muted.size > 0 &&
  (muted.has(exceptionKey('customer', customer ?? '')) ||
    muted.has(exceptionKey('alert_type', alertType ?? '')) ||
    muted.has(exceptionKey('source', sourceId)));

/** What I have muted, as {@link exceptionKey}s: customers and alert types by their names, sources by their ids. */
export function useMutedOnCards(): ReadonlySet<string> {
  const { data: names } = useQuery({ ...mutedNamesQuery, refetchOnMount: false });
  const { data: types } = useQuery({ ...alertTypeMutesQuery, refetchOnMount: false });
  const { data: sources } = useQuery({ ...sourceMutesQuery, refetchOnMount: false });
  return useMemo(
    () =>
      new Set([
        ...(names ?? []).map((name) => exceptionKey('customer', name)),
        ...(types ?? []).map((type) => exceptionKey('alert_type', type)),
        ...(sources ?? []).map(({ sourceId }) => exceptionKey('source', sourceId)),
      ]),
    [names, types, sources],
  );
}

/** The ends of the mutes of a kind, by id or, of alert types, by name. */
export function useEndsOf(kind: MuteEnd['kind']): ReadonlyMap<string, string> {
  const { data } = useQuery(muteEndsQuery);
  return useMemo(
    () => new Map((data ?? []).filter((end) => end.kind === kind).map(({ id, until }) => [id, until])),
    [data, kind],
  );
}
