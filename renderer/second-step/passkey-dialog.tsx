import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_PASSKEY_NAME, type Passkey, type RecoveryCodes } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { addPasskey, renamePasskey, useSecondStepChange } from './second-step.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

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
        toasts.show({ variant: 'destructive', title: texts.failedToAddPasskey, description: message }),
    });
  return (
    <FormDialog
      title={texts.addPasskey}
      subtitle={texts.yourDeviceAsksForYour}
      presence={presence}
      onSubmit={submit}
      submit={{ text: texts.continueLabel, pendingText: texts.waitingForYourDevice, isPending: add.isPending }}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <FormField label={pageTexts.name} hint={texts.toRecognizeItInList}>
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
          toasts.show({ variant: 'destructive', title: texts.failedToRenamePasskey, description: message }),
      },
    );
  return (
    <FormDialog
      title={texts.renamePasskey}
      presence={presence}
      onSubmit={submit}
      submit={{
        text: texts.rename,
        pendingText: 'Renaming...',
        isPending: rename.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}
