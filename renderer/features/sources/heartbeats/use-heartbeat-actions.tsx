import { type ReactNode, useState } from 'react';
import type { Heartbeat } from '#backend/contract/heartbeat.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { notePage } from '#renderer/lib/note-page.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import { type DialogPresence, useDialog } from '#renderer/ui/use-dialog.ts';
import { useHeartbeatCommands } from './heartbeats-data.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './heartbeats.module.css';

/** What administrators do with a heartbeat. */
export interface HeartbeatActions {
  pause: (heartbeat: Heartbeat, isPaused: boolean) => void;
  renew: (heartbeat: Heartbeat) => void;
  remove: (heartbeat: Heartbeat) => void;
}

interface ActionsOptions {
  /** Is called with an address that was made. Without it a dialog shows the address. */
  onAddress?: (id: string, url: string) => void;
  /** Is called before a heartbeat is deleted, and after that failed. */
  onRemoving?: (isRemoving: boolean) => void;
  /** Is called once it is gone, where the page is still open. */
  onRemoved?: () => void;
}

/** Actions on heartbeats, with the dialogs that ask about them. */
export function useHeartbeatActions({ onAddress, onRemoving, onRemoved }: ActionsOptions = {}): {
  actions: HeartbeatActions;
  dialogs: ReactNode;
} {
  const commands = useHeartbeatCommands();
  const toasts = useToasts();
  const renewing = useDialog<Heartbeat>();
  const removing = useDialog<Heartbeat>();
  const address = useDialog<string>();
  const pause = async (heartbeat: Heartbeat, isPaused: boolean): Promise<void> => {
    const name = inertLine(heartbeat.name);
    try {
      await commands.pause(heartbeat.id, isPaused);
      toasts.show({ title: isPaused ? texts.paused(name) : texts.resumed(name) });
    } catch (error) {
      toasts.show({
        title: texts.failed,
        description: messageOf(error),
        variant: 'destructive',
      });
    }
  };
  return {
    actions: {
      pause: (heartbeat, isPaused) => void pause(heartbeat, isPaused),
      renew: renewing.open,
      remove: removing.open,
    },
    dialogs: (
      <>
        {renewing.shown && (
          <AskDialog
            key={`renew ${renewing.shown.key}`}
            title={texts.renewQuestion}
            text={texts.renewHint}
            action={texts.renew}
            pendingText="Making..."
            makesSecret
            presence={renewing.shown.presence}
            onConfirm={async () => {
              const { heartbeat, path } = await commands.renewAddress(renewing.shown?.subject.id ?? '');
              const url = window.location.origin + path;
              if (onAddress) onAddress(heartbeat.id, url);
              else address.open(url);
            }}
          />
        )}
        {removing.shown && (
          <AskDialog
            key={`remove ${removing.shown.key}`}
            title={texts.deleteQuestion}
            text={texts.deleteHint(inertLine(removing.shown.subject.name))}
            action={common.deleteAction}
            pendingText="Deleting..."
            presence={removing.shown.presence}
            onConfirm={async () => {
              const isSamePage = notePage();
              onRemoving?.(true);
              await commands.remove(removing.shown?.subject.id ?? '').catch((error: unknown) => {
                onRemoving?.(false);
                throw error;
              });
              if (isSamePage()) onRemoved?.();
            }}
          />
        )}
        {address.shown && (
          <ShownOnceDialog
            title={texts.address}
            what={texts.address.toLowerCase()}
            copyLabel={texts.copyAddress}
            text={address.shown.subject}
            note={texts.addressOnce}
            presence={address.shown.presence}
          />
        )}
      </>
    ),
  };
}

interface AskDialogProps {
  title: string;
  text: string;
  action: string;
  pendingText: string;
  makesSecret?: boolean;
  presence: DialogPresence;
  /** Throws what the server says. */
  onConfirm: () => Promise<void>;
}

/** Asks before something is done that cannot be taken back, and says why it was not done. */
function AskDialog(props: AskDialogProps) {
  const { title, text, action, pendingText, makesSecret = false, presence, onConfirm } = props;
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async (): Promise<void> => {
    setPending(true);
    try {
      await onConfirm();
      presence.onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setPending(false);
    }
  };
  return (
    <FormDialog
      title={title}
      subtitle={text}
      presence={presence}
      isMakingSecret={makesSecret && isPending}
      onSubmit={() => void confirm()}
      submit={{ text: action, pendingText, isPending, intent: 'danger' }}
    >
      <output className={styles.failure} hidden={failure === undefined}>
        {failure}
      </output>
    </FormDialog>
  );
}
