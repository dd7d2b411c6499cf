import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Customer, CustomerMute, MuteEnd, SourceMute } from '#backend/contract/mute.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import {
  MUTE_KEYS,
  alertTypeMutesQuery,
  customerMuteListSchema,
  customerMutesQuery,
  muteEndsQuery,
  mutedNamesQuery,
  sourceMutesQuery,
} from './mutes.ts';
import * as texts from './texts.ts';

/** For how long something is muted: for so many minutes, until a time, or for good. */
export type MuteLength = { minutes: number } | { until: string } | Record<string, never>;

/** Whether I am notified of a customer. */
export interface CustomerMuteChange {
  customerId: string;
  name: string;
  muted: boolean;
  length?: MuteLength | undefined;
}

/** Whether I am notified of an alert type. */
export interface AlertTypeMuteChange {
  alertType: string;
  muted: boolean;
  length?: MuteLength | undefined;
}

/** Whether I am notified of a source. */
interface SourceMuteChange {
  sourceId: string;
  muted: boolean;
  length?: MuteLength | undefined;
}

/** A list in the cache of what is muted. */
interface MuteList<Change> {
  has: (client: QueryClient, change: Change) => boolean;
  /** Shows what a change is about as muted or not; nothing while the list is not known. */
  show: (client: QueryClient, change: Change, muted: boolean) => void;
}

/** The list of a query. @param muteOf what it has of what a change mutes @param idOf what that is known by */
function listOf<Change, Mute>(
  queryKey: QueryKey,
  muteOf: (change: Change) => Mute,
  idOf: (mute: Mute) => string,
): MuteList<Change> {
  const isOf = (change: Change) => {
    const id = idOf(muteOf(change));
    return (mute: Mute): boolean => idOf(mute) === id;
  };
  return {
    has: (client, change) => client.getQueryData<Mute[]>(queryKey)?.some(isOf(change)) ?? false,
    show: (client, change, muted) => {
      const isSame = isOf(change);
      client.setQueryData<Mute[]>(queryKey, (mutes) => {
        const others = mutes?.filter((mute) => !isSame(mute));
        return others && muted ? [...others, muteOf(change)] : others;
      });
    },
  };
}

/** What mutes of customers, alert types and sources differ in. */
interface MuteKind<Change> {
  mutesKey: QueryKey;
  send: (change: Change) => Promise<undefined>;
  /** What a change is about. */
  idOf: (change: Change) => string;
  lists: readonly MuteList<Change>[];
}

/** `POST /api/customer-mutes`, or `DELETE /api/customer-mutes/{customerId}`. */
const CUSTOMER: MuteKind<CustomerMuteChange> = {
  mutesKey: customerMutesQuery.queryKey,
  send: ({ customerId, muted, length }) =>
    muted
      ? apiSend('POST', '/api/customer-mutes', { body: { customerId, ...length } })
      : apiSend('DELETE', `/api/customer-mutes/${encodeURIComponent(customerId)}`),
  idOf: ({ customerId }) => customerId,
  lists: [
    listOf(
      customerMutesQuery.queryKey,
      ({ customerId }): CustomerMute => ({ customerId }),
      ({ customerId }) => customerId,
    ),
    listOf(
      mutedNamesQuery.queryKey,
      ({ name }) => name,
      (name) => name,
    ),
  ],
};

/**
 * `POST /api/alert-types/mutes`, or `DELETE /api/alert-types/mutes?alertType=…`: in a path, a browser would take the types
 * `.` and `..` for folders.
 */
const ALERT_TYPE: MuteKind<AlertTypeMuteChange> = {
  mutesKey: alertTypeMutesQuery.queryKey,
  send: ({ alertType, muted, length }) =>
    muted
      ? apiSend('POST', '/api/alert-types/mutes', { body: { alertType, ...length } })
      : apiSend('DELETE', `/api/alert-types/mutes?${new URLSearchParams({ alertType })}`),
  idOf: ({ alertType }) => alertType,
  lists: [
    listOf(
      alertTypeMutesQuery.queryKey,
      ({ alertType }) => alertType,
      (alertType) => alertType,
    ),
  ],
};

/** `POST /api/source-mutes`, or `DELETE /api/source-mutes/{sourceId}`. */
const SOURCE: MuteKind<SourceMuteChange> = {
  mutesKey: sourceMutesQuery.queryKey,
  send: ({ sourceId, muted, length }) =>
    muted
      ? apiSend('POST', '/api/source-mutes', { body: { sourceId, ...length } })
      : apiSend('DELETE', `/api/source-mutes/${encodeURIComponent(sourceId)}`),
  idOf: ({ sourceId }) => sourceId,
  lists: [
    listOf(
      sourceMutesQuery.queryKey,
      ({ sourceId }): SourceMute => ({ sourceId }),
      ({ sourceId }) => sourceId,
    ),
  ],
};

const isItself = (name: string): string => name;

/** The lists that cards read, by what they know a muted thing by: names, of sources their ids. */
const CARD_LISTS: Record<MuteEnd['kind'], MuteList<string>> = {
  customer: listOf(mutedNamesQuery.queryKey, isItself, isItself),
  alert_type: listOf(alertTypeMutesQuery.queryKey, isItself, isItself),
  source: listOf(
    sourceMutesQuery.queryKey,
    (sourceId): SourceMute => ({ sourceId }),
    ({ sourceId }) => sourceId,
  ),
};

/** Shows something as muted on cards, or not, before its change is sent. Returns what they showed. */
export function showOnCards(client: QueryClient, { kind, id }: Pick<MuteEnd, 'kind' | 'id'>, muted: boolean): boolean {
  const was = CARD_LISTS[kind].has(client, id);
  CARD_LISTS[kind].show(client, id, muted);
  return was;
}

/** What the lists had of what a change is about, each at its place, before it was shown. */
interface Before {
  muted: readonly boolean[];
}

/** Mutes or unmutes one of a kind: on screen at once, and as it was where that fails with an ApiError. */
function useMute<Change extends { muted: boolean }>({ mutesKey, send, idOf, lists }: MuteKind<Change>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: mutesKey,
    mutationFn: send,
    // One after the other: of two clicks the later one counts.
    scope: { id: mutesKey.join('/') },
    onMutate: async (change): Promise<Before> => {
      // An answer in flight does not include this change.
      await client.cancelQueries({ queryKey: mutesKey });
      const muted = lists.map((list) => list.has(client, change));
      for (const list of lists) list.show(client, change, change.muted);
      return { muted };
    },
    onError: (_error, change, before) => {
      const next = client.getMutationCache().find<undefined, Error, Change, Before>({
        mutationKey: mutesKey,
        status: 'pending',
        predicate: ({ state: { variables, context } }) =>
          context !== undefined && context !== before && idOf(variables as Change) === idOf(change),
      });
      if (before && next?.state.context) {
        // The next change of the same is on screen. Where that fails, too, what was before this one is.
        next.state.context.muted = before.muted;
      } else if (before) {
        for (const [at, list] of lists.entries()) list.show(client, change, before.muted[at] === true);
      }
      // It may have reached the server all the same.
      for (const key of MUTE_KEYS) refetchSoon(client, key);
    },
    onSettled: () => refetchSoon(client, muteEndsQuery.queryKey),
  });
}

/** Mutes or unmutes a customer. */
export const useMuteCustomer = () => useMute(CUSTOMER);

/** Mutes or unmutes an alert type. */
export const useMuteAlertType = () => useMute(ALERT_TYPE);

/** Mutes or unmutes a source. */
export const useMuteSource = () => useMute(SOURCE);

/** `POST /api/customer-mutes/bulk`: mutes every customer or none, in one call, and shows the mutes that are left. */
function useMuteAllCustomers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (muted: boolean): Promise<CustomerMute[]> =>
      apiSend('POST', '/api/customer-mutes/bulk', { body: { muted }, schema: customerMuteListSchema }),
    scope: { id: customerMutesQuery.queryKey.join('/') },
    onMutate: () => client.cancelQueries({ queryKey: customerMutesQuery.queryKey }),
    // The answer is the first page of many; also after a failure some may have changed.
    onSettled: () => client.invalidateQueries({ queryKey: customerMutesQuery.queryKey }),
  });
}

/** Confirms in a toast that something was muted or unmuted, or reports why not. */
function reportMute(
  toasts: Toasts,
  what: 'Customer' | 'Alert type' | 'Source',
  muted: boolean,
  work: Promise<unknown>,
): void {
  const verb = muted ? 'mute' : 'unmute';
  work.then(
    () => toasts.show({ intent: 'done', title: muted ? texts.isMutedNow(what) : texts.isUnmutedNow(what) }),
    ({ message }: Error) =>
      toasts.show({
        variant: 'destructive',
        title: texts.failedTo(verb, what.toLowerCase()),
        description: message,
      }),
  );
}

/** Mutes and unmutes alert types, and confirms it in a toast. */
export function useChangeAlertType(): (alertType: string, muted: boolean) => void {
  const { mutateAsync } = useMute(ALERT_TYPE);
  const toasts = useToasts();
  return useCallback(
    (alertType, muted) => reportMute(toasts, texts.alertType, muted, mutateAsync({ alertType, muted })),
    [mutateAsync, toasts],
  );
}

/** Mutes and unmutes sources, and confirms it in a toast. */
export function useChangeSource(): (sourceId: string, muted: boolean) => void {
  const { mutateAsync } = useMute(SOURCE);
  const toasts = useToasts();
  return useCallback(
    (sourceId, muted) => reportMute(toasts, 'Source', muted, mutateAsync({ sourceId, muted })),
    [mutateAsync, toasts],
  );
}

/** Mutes and unmutes customers, one or all, and confirms it in a toast. */
export function useChangeCustomers(): {
  change: (customer: Pick<Customer, 'id' | 'name'>, muted: boolean) => void;
  changeAll: (muted: boolean) => void;
  /** All of them are being changed. */
  isBusy: boolean;
} {
  const { mutateAsync: muteOne } = useMuteCustomer();
  const { mutateAsync: muteAll, isPending } = useMuteAllCustomers();
  const toasts = useToasts();

  const change = useCallback(
    ({ id, name }: Pick<Customer, 'id' | 'name'>, muted: boolean) =>
      reportMute(toasts, 'Customer', muted, muteOne({ customerId: id, name, muted })),
    [muteOne, toasts],
  );
  const changeAll = useCallback(
    (muted: boolean): void =>
      void muteAll(muted).then(
        () => toasts.show({ intent: 'done', title: muted ? texts.allCustomersMuted : texts.allCustomersEnabled }),
        ({ message }: Error) =>
          toasts.show({
            variant: 'destructive',
            title: texts.error,
            description: texts.failedToAllCustomers(muted, message),
          }),
      ),
    [muteAll, toasts],
  );
  return { change, changeAll, isBusy: isPending };
}
