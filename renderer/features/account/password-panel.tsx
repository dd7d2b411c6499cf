import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useSession } from '#renderer/session/session.ts';
import { tokensQuery } from '#renderer/tokens/tokens.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { useChangePassword } from './account.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** Another password for my account, after the one that it has, and what ends with it. */
export function PasswordPanel() {
  const { email, role } = useSession();
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [endSessions, setEndSessions] = useState(true);
  const [revokeTokens, setRevokeTokens] = useState(false);
  const { data: tokens = [] } = useQuery(tokensQuery('own'));
  const current = useRef<HTMLInputElement>(null);
  const change = useChangePassword();
  const toasts = useToasts();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(
      { currentPassword, newPassword, endSessions, revokeTokens },
      {
        onSuccess: () => {
          setCurrentPassword('');
          setNewPassword('');
          setRevokeTokens(false);
          toasts.show({
            intent: 'done',
            title: 'Password changed',
            description: endSessions ? 'You were signed out everywhere else' : 'Use it the next time you sign in',
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
    <Panel title="Password" hint="Anyone who knew the old password may still have access. Choose what else to revoke.">
      <form className={`${panelStyles.panelBody} ${styles.form}`} onSubmit={submit}>
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
        <fieldset className={styles.ends} aria-label="Also revoke">
          <Checkbox
            checked={endSessions}
            label={
              role === 'admin'
                ? 'Sign out everywhere else and revoke my invitations and reset links'
                : 'Sign out everywhere else'
            }
            onChange={() => setEndSessions(!endSessions)}
          />
          {tokens.length > 0 && (
            <Checkbox
              checked={revokeTokens}
              label={tokens.length === 1 ? 'Revoke my API token' : `Revoke my ${tokens.length} API tokens`}
              onChange={() => setRevokeTokens(!revokeTokens)}
            />
          )}
        </fieldset>
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
