import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { NewUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { FormField } from '#renderer/ui/form-dialog/form-field.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { useCreateUser } from './create-user.ts';
import { ROLE_WORDS } from './role-words.ts';

/** The roles that the form offers; super users are created on the command line. */
const ROLES = (['user', 'admin'] as const).map((value) => ({ value, label: ROLE_WORDS[value] }));

const EMPTY: NewUser = { email: '', displayName: '', password: '', role: 'user' };

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
      subtitle="They sign in with this e-mail and password. Hand the password over yourself; it is not shown again."
      presence={presence}
      onSubmit={submit}
      submit={{ text: 'Create User', pendingText: 'Creating...', isPending: create.isPending }}
    >
      <FormField label="Email">
        {(ids) => (
          <InputGroup
            {...ids}
            type="email"
            autoComplete="off"
            required
            maxLength={254}
            value={user.email}
            onValueChange={(email) => change({ email })}
          />
        )}
      </FormField>
      <FormField label="Display Name">
        {(ids) => (
          <InputGroup
            {...ids}
            autoComplete="off"
            required
            // A name of blanks is none.
            pattern=".*\S.*"
            maxLength={100}
            value={user.displayName}
            onValueChange={(displayName) => change({ displayName })}
          />
        )}
      </FormField>
      <PasswordField label="Password" value={user.password} onChange={(password) => change({ password })} />
      <FormField label="Role">
        {(ids) => (
          <HTMLSelect
            {...ids}
            fill
            options={ROLES}
            value={user.role}
            onChange={({ target }) => change({ role: target.value === 'admin' ? 'admin' : 'user' })}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
