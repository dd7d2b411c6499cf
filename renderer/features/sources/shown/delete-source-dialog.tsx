import { countText } from '#backend/contract/count-text.ts';
import type { Source } from '#backend/contract/source.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useDeleteSource } from '#renderer/features/sources/data/source-commands.ts';
import { sumOf } from './sparkline-bars.ts';
import * as texts from './texts.ts';

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
        toasts.show({ variant: 'destructive', title: texts.sourceCouldNotBeDeleted, description: message }),
    });
  const sent =
    deliveries === 0 ? texts.itReceivedNothingInLast : texts.itReceivedInLast24(countText(deliveries), deliveries);
  return (
    <FormDialog
      title={texts.deleteQuestion(inertLine(source.name))}
      subtitle={texts.itsCredentialsAndAddressStop(sent)}
      presence={presence}
      onSubmit={submit}
      submit={{ text: texts.deleteSource, pendingText: texts.deleting, isPending: remove.isPending, intent: 'danger' }}
    >
      {null}
    </FormDialog>
  );
}
