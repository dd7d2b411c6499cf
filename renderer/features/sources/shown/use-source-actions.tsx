import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import type { Source } from '#backend/contract/source.ts';
import { sendTest } from '#renderer/features/sources/data/try-source.ts';
import { changeSource } from '#renderer/features/sources/data/source-commands.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeleteSourceDialog } from './delete-source-dialog.tsx';
import { RotateDialog, type Rotation } from './rotate-dialog.tsx';
import { webhookAddress } from './source-addresses.ts';
import { useCopy } from './use-copy.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** What administrators do with a source wherever it is shown. */
export interface SourceActions {
  copyAddress: () => void;
  sendTest: (source: Source) => void;
  rotate: (source: Source, kind?: Rotation['kind']) => void;
  pause: (source: Source, isPaused: boolean) => void;
  remove: (source: Source) => void;
}

/** The actions, and the dialogs that they open. `onDeleted` is called once a source is gone. */
export function useSourceActions(onDeleted: () => void = () => undefined): {
  actions: SourceActions;
  dialogs: ReactNode;
} {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const { copy } = useCopy();
  const rotating = useDialog<Rotation>();
  const deleting = useDialog<Source>();
  const { mutateAsync: setPaused } = useMutation({
    mutationFn: ({ source, isPaused }: { source: Source; isPaused: boolean }) =>
      changeSource(client, source, { isPaused }),
  });

  /** Sources that are being paused or resumed: a second click is of a drawing that does not know. */
  const changing = useRef(new Set<string>());
  const pause = useCallback(
    async (source: Source, isPaused: boolean): Promise<void> => {
      if (changing.current.has(source.id)) return;
      changing.current.add(source.id);
      const done = isPaused ? 'paused' : 'resumed';
      try {
        const changed = await setPaused({ source, isPaused });
        undo.add({
          kind: `source ${done}`,
          title: texts.sourceDone(done),
          description: inertLine(source.name),
          many: (count) => ({ title: texts.sourcesDone(count, done) }),
          undo: async () => {
            await setPaused({ source: changed, isPaused: !isPaused });
          },
          undoFailed: texts.sourceCouldNotBeChanged,
        });
      } catch (error) {
        const description = messageOf(error);
        toasts.show({ variant: 'destructive', title: texts.sourceCouldNotBe(done), description });
      } finally {
        changing.current.delete(source.id);
      }
    },
    [setPaused, undo, toasts],
  );

  const test = useCallback(
    async (source: Source): Promise<void> => {
      try {
        await sendTest(source.id);
        toasts.show({
          intent: 'done',
          title: texts.testSent,
          description: texts.itShowsInDeliveriesOf(inertLine(source.name)),
        });
      } catch (error) {
        const description = messageOf(error);
        toasts.show({ variant: 'destructive', title: texts.testCouldNotBeSent, description });
      }
    },
    [toasts],
  );

  const { open: openRotation } = rotating;
  const { open: openDeletion } = deleting;
  const actions = useMemo<SourceActions>(
    () => ({
      copyAddress: () =>
        void copy(webhookAddress()).then(
          (isCopied) => isCopied && toasts.show({ intent: 'done', title: common.copiedToClipboard }),
        ),
      sendTest: (source) => void test(source),
      rotate: (source, kind = 'key') => openRotation({ source, kind }),
      pause: (source, isPaused) => void pause(source, isPaused),
      remove: (source) => openDeletion(source),
    }),
    [copy, toasts, test, openRotation, pause, openDeletion],
  );
  const dialogs = (
    <>
      {rotating.shown && (
        <RotateDialog key={rotating.shown.key} rotation={rotating.shown.subject} presence={rotating.shown.presence} />
      )}
      {deleting.shown && (
        <DeleteSourceDialog
          key={deleting.shown.key}
          source={deleting.shown.subject}
          presence={deleting.shown.presence}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
  return { actions, dialogs };
}
