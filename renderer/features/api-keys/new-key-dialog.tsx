import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { CreatedApiKey } from '#backend/contract/api-key.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { FormField } from '#renderer/ui/form-dialog/form-field.tsx';
import { useCreateApiKey } from './create-api-key.ts';

interface NewKeyDialogProps {
  presence: DialogPresence;
  /** Given the new key, for the one time that it can be shown. */
  onCreated: (key: CreatedApiKey) => void;
}

/** Creates a key; the button is disabled without a name. */
export function NewKeyDialog({ presence, onCreated }: NewKeyDialogProps) {
  const [name, setName] = useState('');
  const create = useCreateApiKey();
  const toasts = useToasts();

  const submit = (): void =>
    create.mutate(name.trim(), {
      onSuccess: (key) => {
        presence.onClose();
        onCreated(key);
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to create API key', description: message }),
    });

  return (
    <FormDialog
      title="New API Key"
      subtitle="One key for each system that posts alerts, so that each can be ended by itself."
      presence={presence}
      onSubmit={submit}
      submit={{
        text: 'Create Key',
        pendingText: 'Creating...',
        isPending: create.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <FormField label="Name" hint="The history of an alert names the key that it came with.">
        {(ids) => (
          <InputGroup
            {...ids}
            autoComplete="off"
            maxLength={100}
            placeholder="Production Webhook Key"
            value={name}
            onValueChange={setName}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
