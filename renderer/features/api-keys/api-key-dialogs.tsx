import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '#backend/contract/api-key.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { lastUsedLabel, useCreateApiKey, useDeleteApiKey } from './api-keys.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

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
      subtitle="Use one key per system, so that you can revoke each one separately."
      presence={presence}
      onSubmit={submit}
      submit={{
        text: 'Create Key',
        pendingText: 'Creating...',
        isPending: create.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <FormField label="Name" hint="Shown in the history of every alert that was sent with this key.">
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

interface DeleteKeyDialogProps {
  apiKey: ApiKey;
  presence: DialogPresence;
}

/** Asks before a key is deleted, because that cannot be undone. */
export function DeleteKeyDialog({ apiKey, presence }: DeleteKeyDialogProps) {
  const remove = useDeleteApiKey();
  const toasts = useToasts();

  const submit = (): void =>
    remove.mutate(apiKey.id, {
      onSuccess: () => {
        presence.onClose();
        toasts.show({ intent: 'done', title: 'API key deleted' });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to delete API key', description: message }),
    });

  return (
    <FormDialog
      title="Delete API Key"
      presence={presence}
      onSubmit={submit}
      submit={{ text: 'Delete', pendingText: 'Deleting...', isPending: remove.isPending, intent: 'danger' }}
    >
      <p className={styles.question}>
        Systems that use <strong>{inertLine(apiKey.name)}</strong> can no longer send alerts. This cannot be undone.{' '}
        {lastUsedLabel(apiKey)}.
      </p>
    </FormDialog>
  );
}
