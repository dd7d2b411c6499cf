import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { useUndoStack } from '#renderer/lib/undo-stack.ts';
import { usersQuery } from './get-users.ts';
import { useToggleUserActive } from './toggle-user-active.ts';

/**
 * Enables or disables an account, reports it, and offers to undo it: the sessions that a disabled member had are gone,
 * but they can sign in again at once. `busyId` is the account whose change is in flight.
 */
export function useToggleWithUndo(): { toggle: (user: PublicUser) => void; busyId: string | undefined } {
  const { mutateAsync, isPending, variables } = useToggleUserActive();
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();

  const toggle = useCallback(
    (user: PublicUser): void => {
      /** The call toggles, so another administrator may have done what undoing is to do: then it must not be sent. */
      const restore = async (before: boolean): Promise<void> => {
        const users = await client.fetchQuery({ ...usersQuery, staleTime: 0 });
        const now = users.find(({ id }) => id === user.id);
        if (now?.isActive === before) return;
        await mutateAsync(user.id);
      };
      const change = async (): Promise<void> => {
        try {
          const { displayName, isActive } = await mutateAsync(user.id);
          undo.add({
            kind: `user ${isActive}`,
            title: 'User status updated',
            description: `${inertLine(displayName)} is ${isActive ? 'active again' : 'disabled'}`,
            many: (count) => ({ title: `${count} users ${isActive ? 'enabled' : 'disabled'}` }),
            undo: () => restore(!isActive),
            undoFailed: 'Failed to update user status',
          });
        } catch (error) {
          const description = error instanceof Error ? error.message : String(error);
          toasts.show({ variant: 'destructive', title: 'Failed to update user status', description });
        }
      };
      void change();
    },
    [client, mutateAsync, toasts, undo],
  );
  return { toggle, busyId: isPending ? variables : undefined };
}
