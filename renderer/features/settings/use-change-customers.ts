import { useCallback } from 'react';
import type { Customer } from '#backend/contract/mute.ts';
import { useMuteAllCustomers } from '#renderer/lib/mutes/mute-all-customers.ts';
import { useMuteCustomer } from '#renderer/lib/mutes/mute-customer.ts';
import { useToasts } from '#renderer/lib/toast.ts';

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
    ({ id, name }: Pick<Customer, 'id' | 'name'>, muted: boolean): void =>
      void muteOne({ customerId: id, name, muted }).then(
        () => toasts.show({ intent: 'done', title: muted ? 'Customer muted' : 'Customer unmuted' }),
        (error: Error) =>
          toasts.show({
            variant: 'destructive',
            title: `Failed to ${muted ? 'mute' : 'unmute'} customer`,
            description: error.message,
          }),
      ),
    [muteOne, toasts],
  );
  const changeAll = useCallback(
    (muted: boolean): void =>
      void muteAll(muted).then(
        () => toasts.show({ intent: 'done', title: muted ? 'All customers muted' : 'All customers enabled' }),
        () =>
          toasts.show({
            variant: 'destructive',
            title: 'Error',
            description: `Failed to ${muted ? 'mute' : 'enable'} all customers`,
          }),
      ),
    [muteAll, toasts],
  );
  return { change, changeAll, isBusy: isPending };
}
