import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { NewAccountLink } from '#backend/contract/account-link.ts';
import type { Role } from '#backend/contract/session.ts';
import { type NewUser, type PublicUser, shortnessOf } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { optionsQuery, useHasPasswords, useMakeLink } from './links.ts';
import { useCreateUser, useResetPassword } from './users.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
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
      <FormField label={pageTexts.email}>
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
      <FormField label={texts.displayName}>
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
      <FormField label={texts.role} hint={roleHint}>
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
  const hasPasswords = useHasPasswords();
  const create = useCreateUser();
  const toasts = useToasts();
  const change = (part: Partial<NewUser>): void => setUser((before) => ({ ...before, ...part }));

  const submit = (): void =>
    create.mutate(user, {
      onSuccess: ({ displayName }) => {
        presence.onClose();
        toasts.show({
          intent: 'done',
          title: texts.userCreated,
          description: (hasPasswords ? texts.canSignInNow : texts.canSignInAtProvider)(inertLine(displayName)),
        });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToCreateUser, description: message }),
    });

  return (
    <FormDialog
      title={texts.createUser}
      subtitle={hasPasswords ? texts.createUserHint : texts.createAtProviderHint}
      presence={presence}
      onSubmit={submit}
      submit={{ text: texts.createUser, pendingText: 'Creating...', isPending: create.isPending }}
    >
      <AccountFields account={user} roles={ROLES} onChange={change}>
        <PasswordField label={pageTexts.password} value={user.password} onChange={(password) => change({ password })} />
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

interface ResetByLinkProps extends ResetPasswordDialogProps {
  make: ReturnType<typeof useMakeLink>;
}

/** The other way: the member chooses a password themselves, and keeps the one that they have until then. */
function ResetByLink({ user, presence, onMade, make }: ResetByLinkProps) {
  const { data: options } = useQuery(optionsQuery);
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
          toasts.show({ variant: 'destructive', title: texts.failedToCreateResetLink, description: message }),
      },
    );
  return (
    <div className={styles.resetLink}>
      <span>{texts.orLetThemChooseIt}</span>
      <LastingButton
        variant="minimal"
        text={isMailed ? texts.emailResetLink : texts.createResetLink}
        isOff={make.isPending}
        onClick={() => submit()}
      />
    </div>
  );
}

/** Sets another password for a member; one that is too short is not even sent. */
export function ResetPasswordDialog({ user, presence, onMade }: ResetPasswordDialogProps) {
  const [newPassword, setNewPassword] = useState('');
  const hasPasswords = useHasPasswords();
  const field = useRef<HTMLInputElement>(null);
  const reset = useResetPassword();
  const make = useMakeLink();
  const toasts = useToasts();
  const name = inertLine(user.displayName);

  const submit = (): void => {
    const tooShort = shortnessOf(newPassword);
    if (tooShort) {
      toasts.show({
        variant: 'destructive',
        title: texts.invalidPassword,
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
          toasts.show({ intent: 'done', title: texts.passwordReset, description: texts.wasSignedOutEverywhere(name) });
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: texts.failedToResetPassword, description: message }),
      },
    );
  };

  return (
    <FormDialog
      title={texts.resetPassword}
      subtitle={(hasPasswords ? texts.resetPasswordHint : texts.resetAtProviderHint)(<bdi>{name}</bdi>)}
      presence={presence}
      isMakingSecret={make.isPending}
      onSubmit={submit}
      noValidate
      submit={{ text: texts.resetPassword, pendingText: 'Resetting...', isPending: reset.isPending }}
    >
      <PasswordField label={texts.newPassword} inputRef={field} value={newPassword} onChange={setNewPassword} />
      {user.isActive && hasPasswords && <ResetByLink user={user} presence={presence} onMade={onMade} make={make} />}
    </FormDialog>
  );
}
