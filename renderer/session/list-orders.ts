import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ProfileChange } from '#backend/contract/account.ts';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { sessionQuery, useSession } from './session.ts';
import * as texts from './texts.ts';

/**
 * The order in which the member wants to see a list, on all of their devices, and what remembers another one. A list without a
 * name has none of its own.
 */
export function useListOrder(list: string | undefined): { order: AlertSort; remember: (sort: AlertSort) => void } {
  const { listOrders } = useSession();
  const change = useChangeOfList();
  const remember = useCallback(
    (sort: AlertSort) => {
      if (list === undefined) return;
      change(
        { listOrder: { list, sort } },
        (session) => ({ ...session, listOrders: { ...session.listOrders, [list]: sort } }),
        texts.orderCouldNotBeRemembered,
      );
    },
    [list, change],
  );
  return { order: (list === undefined ? undefined : listOrders?.[list]) ?? 'newest', remember };
}

/** Whether the member has opened the completed alerts of a list, and what remembers that, in the same way. */
export function useOpenGroup(list: string): { isOpen: boolean; remember: (isOpen: boolean) => void } {
  const { openGroups = [] } = useSession();
  const change = useChangeOfList();
  const remember = useCallback(
    (isOpen: boolean) =>
      change(
        { completedGroup: { list, isOpen } },
        (session) => {
          const others = session.openGroups?.filter((name) => name !== list) ?? [];
          return { ...session, openGroups: isOpen ? [...others, list] : others };
        },
        texts.thatCouldNotBeRemembered,
      ),
    [list, change],
  );
  return { isOpen: openGroups.includes(list), remember };
}

/** Changes how the member sees a list: here at once, by `PATCH /api/auth/profile` for everywhere. */
function useChangeOfList(): (body: ProfileChange, apply: (session: Session) => Session, failed: string) => void {
  const client = useQueryClient();
  const toasts = useToasts();
  return useCallback(
    (body, apply, title) => {
      const { queryKey } = sessionQuery;
      client.setQueryData(queryKey, (session: Session | null | undefined) => session && apply(session));
      apiSend('PATCH', '/api/auth/profile', { body }).catch(({ message }: Error) => {
        toasts.show({ variant: 'destructive', title, description: message });
        void client.invalidateQueries({ queryKey });
      });
    },
    [client, toasts],
  );
}
