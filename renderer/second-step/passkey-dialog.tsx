import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_PASSKEY_NAME, type Passkey, type RecoveryCodes } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { addPasskey, renamePasskey, useSecondStepChange } from './second-step.ts';

interface PasskeyDialogProps {
  presence: DialogPresence;
  onDone: (codes: RecoveryCodes) => void;
}

/** Names a passkey, and has the browser make it. */
export function PasskeyDialog({ presence, onDone }: PasskeyDialogProps) {
  const [name, setName] = useState('');
  const add = useSecondStepChange(addPasskey);
  const toasts = useToasts();
  const submit = (): void =>
    add.mutate(name, {
      onSuccess: (codes) => {
        presence.onClose();
        onDone(codes);
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to add the passkey', description: message }),
    });
  return (
    <FormDialog
      title="Add a passkey"
      subtitle="Your device asks for your fingerprint, face, PIN, or security key. With a passkey, you need no password."
      presence={presence}
      onSubmit={submit}
      submit={{ text: 'Continue', pendingText: 'Waiting for your device...', isPending: add.isPending }}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <FormField label="Name" hint="To recognize it in the list, such as Work laptop">
      {(ids) => (
        <InputGroup
          {...ids}
          autoComplete="off"
          required
          pattern=".*\S.*"
          maxLength={MAX_PASSKEY_NAME}
          value={value}
          onValueChange={onChange}
        />
      )}
    </FormField>
  );
}

interface RenameDialogProps extends Omit<PasskeyDialogProps, 'onDone'> {
  passkey: Passkey;
}

/** Asks for another name of a passkey. */
export function RenamePasskeyDialog({ passkey, presence }: RenameDialogProps) {
  const [name, setName] = useState(passkey.name);
  const rename = useSecondStepChange(renamePasskey);
  const toasts = useToasts();
  const submit = (): void =>
    rename.mutate(
      { id: passkey.id, name },
      {
        onSuccess: () => {
          presence.onClose();
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: 'Failed to rename the passkey', description: message }),
      },
    );
  return (
    <FormDialog
      title="Rename passkey"
      presence={presence}
      onSubmit={submit}
      submit={{
        text: 'Rename',
        pendingText: 'Renaming...',
        isPending: rename.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}
