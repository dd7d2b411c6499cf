import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Customer, CustomerMute, SourceMute } from '#backend/contract/mute.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import {
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

/** What mutes of customers, alert types and sources differ in. */
interface MuteKind<Change> {
  mutesKey: QueryKey;
  send: (change: Change) => Promise<undefined>;
  /** Shows the change in every cached list. */
  show: (client: QueryClient, change: Change) => void;
}

/** `POST /api/customer-mutes`, or `DELETE /api/customer-mutes/{customerId}`. */
const CUSTOMER: MuteKind<CustomerMuteChange> = {
  mutesKey: customerMutesQuery.queryKey,
  send: ({ customerId, muted, length }) =>
    muted
      ? apiSend('POST', '/api/customer-mutes', { body: { customerId, ...length } })
      : apiSend('DELETE', `/api/customer-mutes/${encodeURIComponent(customerId)}`),
  show: (client, { customerId, name, muted }) => {
    client.setQueryData<CustomerMute[]>(customerMutesQuery.queryKey, (mutes) =>
      withMute(mutes, { customerId }, muted, (mute) => mute.customerId === customerId),
    );
    client.setQueryData<string[]>(mutedNamesQuery.queryKey, (names) =>
      withMute(names, name, muted, (other) => other === name),
    );
  },
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
  show: (client, { alertType, muted }) =>
    void client.setQueryData<string[]>(alertTypeMutesQuery.queryKey, (types) =>
      withMute(types, alertType, muted, (other) => other === alertType),
    ),
};

/** `POST /api/source-mutes`, or `DELETE /api/source-mutes/{sourceId}`. */
const SOURCE: MuteKind<SourceMuteChange> = {
  mutesKey: sourceMutesQuery.queryKey,
  send: ({ sourceId, muted, length }) =>
    muted
      ? apiSend('POST', '/api/source-mutes', { body: { sourceId, ...length } })
      : apiSend('DELETE', `/api/source-mutes/${encodeURIComponent(sourceId)}`),
  show: (client, { sourceId, muted }) =>
    void client.setQueryData<SourceMute[]>(sourceMutesQuery.queryKey, (mutes) =>
      withMute(mutes, { sourceId }, muted, (mute) => mute.sourceId === sourceId),
    ),
};

/** The mutes with this one or without it; undefined while they are not known. */
function withMute<Mute>(mutes: Mute[] | undefined, mute: Mute, muted: boolean, isSame: (other: Mute) => boolean) {
  const others = mutes?.filter((other) => !isSame(other));
  return others && muted ? [...others, mute] : others;
}

/** Mutes or unmutes one of a kind: on screen at once, and back if that fails with an ApiError. */
function useMute<Change extends { muted: boolean }>({ mutesKey, send, show }: MuteKind<Change>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    // One after the other: of two clicks the later one counts.
    scope: { id: mutesKey.join('/') },
    onMutate: async (change) => {
      // An answer in flight does not include this change.
      await client.cancelQueries({ queryKey: mutesKey });
      show(client, change);
    },
    onError: (_error, change) => show(client, { ...change, muted: !change.muted }),
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
        () =>
          toasts.show({
            variant: 'destructive',
            title: texts.error,
            description: texts.failedToAllCustomers(muted),
          }),
      ),
    [muteAll, toasts],
  );
  return { change, changeAll, isBusy: isPending };
}
