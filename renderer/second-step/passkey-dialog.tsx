import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_PASSKEY_NAME, type Passkey, type RecoveryCodes } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { ProofCancelled } from './proof.tsx';
import { addPasskey, renamePasskey, useSecondStepChange } from './second-step.ts';

interface PasskeyDialogProps {
  presence: DialogPresence;
  withProof: <T>(work: () => Promise<T>) => Promise<T>;
  onDone: (codes: RecoveryCodes) => void;
}

/** Names a passkey, and has the browser make it. */
export function PasskeyDialog({ presence, withProof, onDone }: PasskeyDialogProps) {
  const [name, setName] = useState('');
  const add = useSecondStepChange((called: string) => withProof(() => addPasskey(called)));
  const toasts = useToasts();
  const submit = (): void =>
    add.mutate(name, {
      onSuccess: (codes) => {
        presence.onClose();
        toasts.show({ intent: 'done', title: 'Passkey added' });
        onDone(codes);
      },
      onError: (error) => {
        if (error instanceof ProofCancelled) return;
        toasts.show({ variant: 'destructive', title: 'Failed to add the passkey', description: error.message });
      },
    });
  return (
    <FormDialog
      title="Add a passkey"
      subtitle="Your device asks for your finger, face or PIN, or for a security key. With a passkey you need no password."
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
    <FormField label="Name" hint="By which you know it in the list, such as Work laptop">
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
export function RenamePasskeyDialog({ passkey, presence, withProof }: RenameDialogProps) {
  const [name, setName] = useState(passkey.name);
  const rename = useSecondStepChange((input: { id: string; name: string }) => withProof(() => renamePasskey(input)));
  const toasts = useToasts();
  const submit = (): void =>
    rename.mutate(
      { id: passkey.id, name },
      {
        onSuccess: () => {
          presence.onClose();
          toasts.show({ intent: 'done', title: 'Passkey renamed' });
        },
        onError: (error) => {
          if (error instanceof ProofCancelled) return;
          toasts.show({
            variant: 'destructive',
            title: 'Failed to rename the passkey',
            description: error.message,
          });
        },
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
