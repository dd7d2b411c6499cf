import { useCallback } from 'react';
import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { useToggleUserActive } from './toggle-user-active.ts';

/**
 * Enables or disables an account, says so, and offers to undo it: the sessions that a disabled member had are gone, but
 * they can sign in again at once. `busyId` is the account whose change is on its way.
 */
export function useToggleWithUndo(): { toggle: (user: PublicUser) => void; busyId: string | undefined } {
  const { mutateAsync, isPending, variables } = useToggleUserActive();
  const toasts = useToasts();

  const toggle = useCallback(
    (user: PublicUser): void => {
      const change = async ({ id }: PublicUser, canUndo: boolean): Promise<void> => {
        try {
          const changed = await mutateAsync(id);
          toasts.show({
            title: 'User status updated',
            description: `${inertLine(changed.displayName)} is ${changed.isActive ? 'active again' : 'disabled'}`,
            ...(canUndo && { action: { label: 'Undo', onSelect: () => void change(changed, false) } }),
          });
        } catch (error) {
          const description = error instanceof Error ? error.message : String(error);
          toasts.show({ variant: 'destructive', title: 'Failed to update user status', description });
        }
      };
      void change(user, true);
    },
    [mutateAsync, toasts],
  );
  return { toggle, busyId: isPending ? variables : undefined };
}
