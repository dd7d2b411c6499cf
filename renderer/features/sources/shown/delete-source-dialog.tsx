import type { Source } from '#backend/contract/source.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useDeleteSource } from '#renderer/features/sources/data/source-commands.ts';
import { sumOf } from './sparkline-bars.ts';

interface DeleteSourceDialogProps {
  source: Source;
  presence: DialogPresence;
  onDeleted: () => void;
}

/** Asks before a source is deleted, because that cannot be undone. */
export function DeleteSourceDialog({ source, presence, onDeleted }: DeleteSourceDialogProps) {
  const remove = useDeleteSource();
  const toasts = useToasts();
  const { deliveries } = sumOf(source.hours);
  const submit = (): void =>
    remove.mutate(source.id, {
      onSuccess: () => {
        presence.onClose();
        onDeleted();
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'The source could not be deleted', description: message }),
    });
  const sent =
    deliveries === 0
      ? 'It received nothing in the last 24 hours'
      : `It received ${countText(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'} in the last 24 hours`;
  return (
    <FormDialog
      title={`Delete “${inertLine(source.name)}”?`}
      subtitle={`Its credentials and address stop working immediately. ${sent}. Its alerts are kept.`}
      presence={presence}
      onSubmit={submit}
      submit={{ text: 'Delete source', pendingText: 'Deleting…', isPending: remove.isPending, intent: 'danger' }}
    >
      {null}
    </FormDialog>
  );
}
