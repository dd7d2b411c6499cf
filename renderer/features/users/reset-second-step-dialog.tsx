import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useResetSecondStep } from './users.ts';

/** Removes the second steps of somebody who has lost theirs. Asks first: it cannot be taken back. */
export function ResetSecondStepDialog({ user, presence }: { user: PublicUser; presence: DialogPresence }) {
  const reset = useResetSecondStep();
  const toasts = useToasts();
  const name = inertLine(user.displayName);
  const submit = (): void =>
    reset.mutate(user.id, {
      onSuccess: () => {
        presence.onClose();
        toasts.show({
          intent: 'done',
          title: 'Two-step sign-in reset',
          description: `${name} signs in with the password alone now`,
        });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to reset two-step sign-in', description: message }),
    });
  return (
    <FormDialog
      title="Reset two-step sign-in"
      subtitle={
        <>
          The authenticator app, passkeys and recovery codes of <bdi>{name}</bdi> are removed, and they are signed out
          everywhere. Make sure that the request really comes from them.
        </>
      }
      presence={presence}
      onSubmit={submit}
      submit={{
        text: 'Reset two-step sign-in',
        pendingText: 'Resetting...',
        isPending: reset.isPending,
        intent: 'danger',
      }}
    >
      {null}
    </FormDialog>
  );
}
