import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '#backend/contract/api-key.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { lastUsedLabel, useCreateApiKey, useDeleteApiKey } from './api-keys.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
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
        toasts.show({ variant: 'destructive', title: texts.failedToCreateApiKey, description: message }),
    });

  return (
    <FormDialog
      title={texts.newApiKey}
      subtitle={texts.newKeyHint}
      presence={presence}
      isMakingSecret={create.isPending}
      onSubmit={submit}
      submit={{
        text: texts.createKey,
        pendingText: 'Creating...',
        isPending: create.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <FormField label={pageTexts.name} hint={texts.shownInHistoryOfEvery}>
        {(ids) => (
          <InputGroup
            {...ids}
            autoComplete="off"
            maxLength={100}
            placeholder={texts.productionWebhookKey}
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
        toasts.show({ intent: 'done', title: texts.apiKeyDeleted });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToDeleteApiKey, description: message }),
    });

  return (
    <FormDialog
      title={texts.deleteApiKey}
      presence={presence}
      onSubmit={submit}
      submit={{ text: common.deleteAction, pendingText: texts.deleting, isPending: remove.isPending, intent: 'danger' }}
    >
      <p className={styles.question}>
        {texts.deleteKeyHint(<strong>{inertLine(apiKey.name)}</strong>, lastUsedLabel(apiKey))}
      </p>
    </FormDialog>
  );
}
