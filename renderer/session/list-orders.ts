import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { sessionQuery, useSession } from './session.ts';

/**
 * The order in which the member wants to see a list, on all of their devices, and what remembers another one: here at once,
 * by `PATCH /api/auth/profile` for everywhere. A list without a name has none of its own.
 */
export function useListOrder(list: string | undefined): { order: AlertSort; remember: (sort: AlertSort) => void } {
  const { listOrders } = useSession();
  const client = useQueryClient();
  const toasts = useToasts();
  const remember = useCallback(
    (sort: AlertSort) => {
      if (list === undefined) return;
      const { queryKey } = sessionQuery;
      client.setQueryData(
        queryKey,
        (session: Session | null | undefined) =>
          session && { ...session, listOrders: { ...session.listOrders, [list]: sort } },
      );
      apiSend('PATCH', '/api/auth/profile', { body: { listOrder: { list, sort } } }).catch(({ message }: Error) => {
        toasts.show({ variant: 'destructive', title: 'The order could not be remembered', description: message });
        void client.invalidateQueries({ queryKey });
      });
    },
    [list, client, toasts],
  );
  return { order: (list === undefined ? undefined : listOrders?.[list]) ?? 'newest', remember };
}
