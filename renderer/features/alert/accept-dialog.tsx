import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { alertSchema } from '#backend/contract/alert.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { useAlertDetails } from '#renderer/alerts/data/alert-details.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';
import * as styles from './alert-page.module.css';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';

interface AcceptDialogProps {
  id: string;
  presence: DialogPresence;
  /** The question is answered: the address does not ask it again. */
  onDone: () => void;
}

/** Asks who came by a link "Accept" from a chat: the link itself changes nothing, since programs open links, too. */
export function AcceptDialog({ id, presence, onDone }: AcceptDialogProps) {
  const close = (): void => {
    presence.onClose();
    onDone();
  };
  const { known } = useAlertDetails(id);
  const actions = useActions();
  // Where somebody has it already, the server says who.
  const ask = useMutation({
    mutationFn: () => apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/accept`, { schema: alertSchema }),
    onSuccess: close,
  });
  const accept = (): void => {
    if (!known || !actions.offers(ACCEPT, known.alert)) return ask.mutate();
    close();
    actions.run(ACCEPT, known.alert);
  };
  return (
    <DescribedDialog
      {...presence}
      onClose={close}
      className={formStyles.dialog}
      title={texts.acceptQuestion}
      subtitle={texts.acceptHint}
      actions={
        <div className={formStyles.actions}>
          <Button text={texts.cancel} onClick={close} />
          <Button intent="primary" text={texts.accept} loading={ask.isPending} onClick={accept} />
        </div>
      }
    >
      <output className={styles.failure} hidden={!ask.error}>
        {ask.error?.message}
      </output>
    </DescribedDialog>
  );
}
