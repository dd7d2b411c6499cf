import { InputGroup } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { MAX_PASSKEY_NAME, type Passkey, type RecoveryCodes } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { addPasskey, makePasskey, renamePasskey, useSecondStepChange } from './second-step.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

interface PasskeyDialogProps {
  presence: DialogPresence;
  onDone: (codes: RecoveryCodes) => void;
}

/** Names a passkey, and has the browser make it. Until the device has, the dialog can be closed, which gives it up. */
export function PasskeyDialog({ presence, onDone }: PasskeyDialogProps) {
  const [name, setName] = useState('');
  const make = useMutation({ mutationFn: makePasskey });
  const add = useSecondStepChange(addPasskey);
  const toasts = useToasts();
  // Nobody would see the recovery codes of what is confirmed after the dialog was closed, or its page left.
  const { isOpen } = presence;
  const making = useRef<AbortController>(undefined);
  useEffect(() => (isOpen ? () => making.current?.abort() : undefined), [isOpen]);
  const onError = ({ message }: Error): void => {
    toasts.show({ variant: 'destructive', title: texts.failedToAddPasskey, description: message });
  };
  const submit = (): void => {
    const attempt = new AbortController();
    making.current = attempt;
    make.mutate(attempt.signal, {
      onSuccess: (credential) =>
        add.mutate(
          { name, credential },
          {
            onSuccess: (codes) => {
              presence.onClose();
              onDone(codes);
            },
            onError,
          },
        ),
      onError: (error) => {
        if (!attempt.signal.aborted) onError(error);
      },
    });
  };
  return (
    <FormDialog
      title={texts.addPasskey}
      subtitle={texts.yourDeviceAsksForYour}
      presence={presence}
      isMakingSecret={add.isPending}
      onSubmit={submit}
      submit={{
        text: texts.continueLabel,
        pendingText: texts.waitingForYourDevice,
        isPending: make.isPending || add.isPending,
      }}
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
