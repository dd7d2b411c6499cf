import { Button, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { Destination } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useOutgoingCommands } from './outgoing-data.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** Asks which of the messages that were not delivered are sent again. */
export function SendAgainDialog({ destination, presence }: { destination: Destination; presence: DialogPresence }) {
  const { sendAllAgain } = useOutgoingCommands();
  const toasts = useToasts();
  const [onlyOpen, setOnlyOpen] = useState(true);
  const [isPending, setPending] = useState(false);
  const send = async (): Promise<void> => {
    setPending(true);
    try {
      const { messages } = await sendAllAgain(destination.id, onlyOpen);
      presence.onClose();
      toasts.show({
        title: texts.messagesSentAgain(messages, countText(messages)),
        description: texts.to(inertLine(destination.name)),
      });
    } catch (error) {
      toasts.show({
        title: texts.nothingSentAgain,
        description: error instanceof Error ? error.message : '',
        variant: 'destructive',
      });
    } finally {
      setPending(false);
    }
  };
  return (
    <DescribedDialog
      {...presence}
      className={formStyles.dialog}
      title={texts.sendAgainQuestion}
      subtitle={texts.messagesNotDeliveredTo(
        destination.notDelivered,
        countText(destination.notDelivered),
        inertLine(destination.name),
      )}
      actions={
        <div className={formStyles.actions}>
          <Button text={pageTexts.cancel} onClick={presence.onClose} />
          <Button intent="primary" text={texts.sendAgain} loading={isPending} onClick={() => void send()} />
        </div>
      }
    >
      <RadioGroup
        aria-label={texts.whichMessages}
        selectedValue={onlyOpen ? 'open' : 'all'}
        onChange={({ currentTarget }) => setOnlyOpen(currentTarget.value === 'open')}
      >
        <Radio value="open" label={texts.onlyOfOpenAlerts} />
        <Radio value="all" label={texts.allOfThem} />
      </RadioGroup>
    </DescribedDialog>
  );
}
