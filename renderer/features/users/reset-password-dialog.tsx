import { useRef, useState } from 'react';
import { MIN_PASSWORD_LENGTH, type PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { useResetPassword } from './reset-password.ts';

interface ResetPasswordDialogProps {
  user: PublicUser;
  presence: DialogPresence;
}

/** Sets another password for a member; one that is too short is not even sent. */
export function ResetPasswordDialog({ user, presence }: ResetPasswordDialogProps) {
  const [newPassword, setNewPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const reset = useResetPassword();
  const toasts = useToasts();
  const name = inertLine(user.displayName);

  const submit = (): void => {
    if (newPassword.length < MIN_PASSWORD_LENGTH) {
      toasts.show({
        variant: 'destructive',
        title: 'Invalid password',
        description: `Password must be at least ${MIN_PASSWORD_LENGTH} characters`,
      });
      field.current?.focus();
      return;
    }
    reset.mutate(
      { id: user.id, newPassword },
      {
        onSuccess: () => {
          presence.onClose();
          toasts.show({ intent: 'done', title: 'Password reset', description: `${name} was signed out everywhere` });
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: 'Failed to reset password', description: message }),
      },
    );
  };

  return (
    <FormDialog
      title="Reset Password"
      subtitle={
        <>
          A new password for <bdi>{name}</bdi>. They are signed out everywhere.
        </>
      }
      presence={presence}
      onSubmit={submit}
      noValidate
      submit={{ text: 'Reset Password', pendingText: 'Resetting...', isPending: reset.isPending }}
    >
      <PasswordField label="New Password" inputRef={field} value={newPassword} onChange={setNewPassword} />
    </FormDialog>
  );
}
