import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { NewAccountLink } from '#backend/contract/account-link.ts';
import type { Role } from '#backend/contract/session.ts';
import { type NewUser, type PublicUser, shortnessOf } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { optionsQuery, useMakeLink } from './links.ts';
import { useCreateUser, useResetPassword } from './users.ts';
import * as styles from './users-page.module.css';

/** The roles that the form offers; super users are created on the command line. */
export const ROLES = (['user', 'admin'] as const).map((value) => ({ value, label: ROLE_LABELS[value] }));

const EMPTY: NewUser = { email: '', displayName: '', password: '', role: 'user' };

type Account<R extends Role> = Pick<NewUser, 'email' | 'displayName'> & { role: R };

interface AccountFieldsProps<R extends Role> {
  account: Account<R>;
  /** The roles that may be chosen. */
  roles: readonly { value: R; label: string }[];
  onChange: (part: Partial<Account<R>>) => void;
  isDisabled?: boolean;
  /** What to know of the role. */
  roleHint?: string | undefined;
  /** Fields between the name and the role. */
  children?: ReactNode;
}

/** Who an account is for. The browser itself asks for what is missing. */
export function AccountFields<R extends Role>(props: AccountFieldsProps<R>) {
  const { account, roles, onChange, isDisabled = false, roleHint, children } = props;
  return (
    <>
      <FormField label="Email">
        {(ids) => (
          <InputGroup
            {...ids}
            type="email"
            disabled={isDisabled}
            autoComplete="off"
            required
            maxLength={254}
            value={account.email}
            onValueChange={(email) => onChange({ email })}
          />
        )}
      </FormField>
      <FormField label="Display Name">
        {(ids) => (
          <InputGroup
            {...ids}
            disabled={isDisabled}
            autoComplete="off"
            required
            // A name of blanks is none.
            pattern=".*\S.*"
            maxLength={100}
            value={account.displayName}
            onValueChange={(displayName) => onChange({ displayName })}
          />
        )}
      </FormField>
      {children}
      <FormField label="Role" hint={roleHint}>
        {(ids) => (
          <HTMLSelect
            {...ids}
            fill
            options={roles}
            value={account.role}
            disabled={isDisabled || roles.length === 1}
            onChange={({ target }) =>
              onChange({ role: roles.find(({ value }) => value === target.value)?.value ?? account.role })
            }
          />
        )}
      </FormField>
    </>
  );
}

/** Creates an account. The browser itself asks for what is missing. */
export function CreateUserDialog({ presence }: { presence: DialogPresence }) {
  const [user, setUser] = useState(EMPTY);
  const create = useCreateUser();
  const toasts = useToasts();
  const change = (part: Partial<NewUser>): void => setUser((before) => ({ ...before, ...part }));

  const submit = (): void =>
    create.mutate(user, {
      onSuccess: ({ displayName }) => {
        presence.onClose();
        toasts.show({
          intent: 'done',
          title: 'User created',
          description: `${inertLine(displayName)} can sign in now`,
        });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to create user', description: message }),
    });

  return (
    <FormDialog
      title="Create User"
      subtitle="They sign in with this email and password. Share the password with them yourself. It is not shown again."
      presence={presence}
      onSubmit={submit}
      submit={{ text: 'Create User', pendingText: 'Creating...', isPending: create.isPending }}
    >
      <AccountFields account={user} roles={ROLES} onChange={change}>
        <PasswordField label="Password" value={user.password} onChange={(password) => change({ password })} />
      </AccountFields>
    </FormDialog>
  );
}

interface ResetPasswordDialogProps {
  user: PublicUser;
  presence: DialogPresence;
  /** Given a link that was made instead, for the one time that it can be shown. */
  onMade: (made: NewAccountLink) => void;
}

/** The other way: the member chooses a password themselves, and keeps the one that they have until then. */
function ResetByLink({ user, presence, onMade }: ResetPasswordDialogProps) {
  const { data: options } = useQuery(optionsQuery);
  const make = useMakeLink();
  const toasts = useToasts();
  const isMailed = options?.hasMail === true;
  const submit = (): void =>
    make.mutate(
      { to: 'reset', userId: user.id, isMailed },
      {
        onSuccess: (made) => {
          presence.onClose();
          onMade(made);
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: 'Failed to create a reset link', description: message }),
      },
    );
  return (
    <div className={styles.resetLink}>
      <span>Or let them choose it:</span>
      <Button
        variant="minimal"
        text={isMailed ? 'Email a reset link' : 'Create a reset link'}
        aria-disabled={make.isPending || undefined}
        onClick={() => !make.isPending && submit()}
      />
    </div>
  );
}

/** Sets another password for a member; one that is too short is not even sent. */
export function ResetPasswordDialog({ user, presence, onMade }: ResetPasswordDialogProps) {
  const [newPassword, setNewPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const reset = useResetPassword();
  const toasts = useToasts();
  const name = inertLine(user.displayName);

  const submit = (): void => {
    const tooShort = shortnessOf(newPassword);
    if (tooShort) {
      toasts.show({
        variant: 'destructive',
        title: 'Invalid password',
        description: tooShort,
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
      {user.isActive && <ResetByLink user={user} presence={presence} onMade={onMade} />}
    </FormDialog>
  );
}
