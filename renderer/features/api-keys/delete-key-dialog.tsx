import type { ApiKey } from '#backend/contract/api-key.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useDeleteApiKey } from './delete-api-key.ts';
import { lastUsedWords } from './last-used-words.ts';

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
      <p className="ad-key-question">
        Systems that post with <strong>{inertLine(apiKey.name)}</strong> are refused from now on. This cannot be undone.{' '}
        {lastUsedWords(apiKey)}.
      </p>
    </FormDialog>
  );
}
