import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { secondStepQuery } from '#renderer/second-step/second-step.ts';
import { useSession } from '#renderer/session/session.ts';
import { tokensQuery } from '#renderer/tokens/tokens.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { useChangePassword } from './account.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** Another password for my account, or why it is not changed here. */
export function PasswordPanel() {
  const lockedBecause = useQuery(secondStepQuery).data?.lockedBecause;
  if (lockedBecause === undefined) return <ChangePasswordPanel />;
  return <Panel title={pageTexts.password} hint={lockedBecause} />;
}

/** Another password for my account, after the one that it has, and what ends with it. */
function ChangePasswordPanel() {
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
            title: texts.passwordChanged,
            description: endSessions ? texts.youWereSignedOutEverywhere : texts.newPasswordHint,
          });
        },
        onError: ({ message }) => {
          toasts.show({ variant: 'destructive', title: texts.failedToChangePassword, description: message });
          current.current?.select();
        },
      },
    );
  };

  return (
    <Panel title={pageTexts.password} hint={texts.alsoRevokeHint}>
      <form className={`${panelStyles.panelBody} ${styles.form}`} onSubmit={submit}>
        {/* Password managers ask whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <FormField label={texts.currentPassword}>
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
        <PasswordField label={texts.newPassword} value={newPassword} onChange={setNewPassword} />
        <fieldset className={styles.ends} aria-label={texts.alsoRevoke}>
          <Checkbox
            checked={endSessions}
            label={role === 'admin' ? texts.signOutEverywhereElseAnd : texts.signOutEverywhereElse}
            onChange={() => setEndSessions(!endSessions)}
          />
          {tokens.length > 0 && (
            <Checkbox
              checked={revokeTokens}
              label={tokens.length === 1 ? texts.revokeMyApiToken : texts.revokeMyTokens(tokens.length)}
              onChange={() => setRevokeTokens(!revokeTokens)}
            />
          )}
        </fieldset>
        <Button
          type="submit"
          intent="primary"
          disabled={currentPassword === '' || newPassword === ''}
          aria-disabled={change.isPending || undefined}
          text={change.isPending ? texts.changing : texts.changePassword}
        />
      </form>
    </Panel>
  );
}
