import { Button, InputGroup } from '@blueprintjs/core';
import { type FormEvent, useRef, useState } from 'react';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { useChangePassword } from './account.ts';

/** Another password for my account, after the one that it has. */
export function PasswordPanel() {
  const { email } = useSession();
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const current = useRef<HTMLInputElement>(null);
  const change = useChangePassword();
  const toasts = useToasts();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          setCurrentPassword('');
          setNewPassword('');
          toasts.show({
            intent: 'done',
            title: 'Password changed',
            description: 'You were signed out everywhere else',
          });
        },
        onError: ({ message }) => {
          toasts.show({ variant: 'destructive', title: 'Failed to change the password', description: message });
          current.current?.select();
        },
      },
    );
  };

  return (
    <Panel title="Password" hint="A new password signs you out everywhere else.">
      <form className="ad-panel-body ad-account-form" onSubmit={submit}>
        {/* Password managers ask whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <FormField label="Current Password">
          {(ids) => (
            <InputGroup
              {...ids}
              inputRef={current}
              type="password"
              autoComplete="current-password"
              required
              maxLength={1024}
              value={currentPassword}
              onValueChange={setCurrentPassword}
            />
          )}
        </FormField>
        <PasswordField label="New Password" value={newPassword} onChange={setNewPassword} />
        <Button
          type="submit"
          intent="primary"
          disabled={currentPassword === '' || newPassword === ''}
          aria-disabled={change.isPending || undefined}
          text={change.isPending ? 'Changing...' : 'Change Password'}
        />
      </form>
    </Panel>
  );
}
