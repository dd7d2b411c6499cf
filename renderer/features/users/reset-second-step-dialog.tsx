import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useResetSecondStep } from './users.ts';
import * as texts from './texts.tsx';

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
          title: texts.twoStepSignInReset,
          description: texts.signsInWithPasswordAlone(name),
        });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToResetTwoStep, description: message }),
    });
  return (
    <FormDialog
      title={texts.resetTwoStepSignIn}
      subtitle={<>{texts.resetTwoStepHint(<bdi>{name}</bdi>)}</>}
      presence={presence}
      onSubmit={submit}
      submit={{
        text: texts.resetTwoStepSignIn,
        pendingText: 'Resetting...',
        isPending: reset.isPending,
        intent: 'danger',
      }}
    >
      {null}
    </FormDialog>
  );
}
