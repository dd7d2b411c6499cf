import { PauseIcon, PlayIcon, SendMessageIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import type { Destination } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useDeletion } from './delete-dialog.tsx';
import { DESTINATIONS } from './entries.tsx';
import { useOutgoingCommands, useTestDestination } from './outgoing-data.ts';
import type { RowAction } from './row-tools.tsx';
import { useRowActions, useSwitching } from './use-row-actions.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';

/** What can be done with a destination in the list. */
export interface DestinationActions {
  of: (destination: Destination) => readonly RowAction[];
  deletionOf: (destination: Destination) => RowAction;
  sendTest: (destination: Destination) => Promise<void>;
  /** Asks before one is deleted. */
  dialog: ReactNode;
}

/** The actions of the list of destinations. */
export function useDestinationActions(): DestinationActions {
  const { mutateAsync: test } = useTestDestination();
  const toasts = useToasts();
  const commands = useOutgoingCommands();
  const switchOne = useSwitching();
  const rowActions = useRowActions(DESTINATIONS);
  const deletion = useDeletion<Destination>({
    entry: DESTINATIONS,
    hintOf: texts.deleteHint,
    onDelete: commands.deleteDestination,
  });
  const sendTest = async ({ id, kind, name }: Destination): Promise<void> => {
    const result = await test({ kind, name, destinationId: id }).catch((error: unknown) => ({
      isDelivered: false,
      message: error instanceof Error ? error.message : '',
    }));
    const title = result.isDelivered ? texts.testSentTo(inertLine(name)) : texts.testNotSentTo(inertLine(name));
    toasts.show({ title, description: result.message, variant: result.isDelivered ? 'default' : 'destructive' });
    await commands.readAgain();
  };
  const pause = ({ id, name, isPaused }: Destination) =>
    switchOne({
      title: isPaused ? texts.destinationResumed : texts.destinationPaused,
      name: inertLine(name),
      run: () => commands.pauseDestination(id, !isPaused),
      undo: () => commands.pauseDestination(id, isPaused),
    });
  return {
    of: (destination) => [
      rowActions.edit(destination.id),
      { icon: <SendMessageIcon />, text: pageTexts.sendTest, run: () => void sendTest(destination) },
      {
        icon: destination.isPaused ? <PlayIcon /> : <PauseIcon />,
        text: destination.isPaused ? texts.resume : texts.pause,
        run: () => void pause(destination),
      },
      rowActions.duplicate(destination.id),
    ],
    deletionOf: (destination) => rowActions.remove(() => deletion.ask(destination)),
    sendTest,
    dialog: deletion.dialog,
  };
}
