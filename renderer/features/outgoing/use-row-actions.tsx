import { DuplicateIcon, EditIcon, TrashIcon } from '@blueprintjs/icons';
import { useNavigate } from 'react-router-dom';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import type { Entry } from './entries.tsx';
import type { RowAction } from './row-tools.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** What every list offers for its rows. */
export function useRowActions(entry: Entry): {
  edit: (id: string) => RowAction;
  duplicate: (id: string) => RowAction;
  remove: (run: () => void) => RowAction;
} {
  const navigate = useNavigate();
  return {
    edit: (id) => ({ icon: <EditIcon />, text: texts.edit, run: () => void navigate(entry.pathOf(id)) }),
    duplicate: (id) => ({
      icon: <DuplicateIcon />,
      text: texts.duplicate,
      run: () => void navigate(`${entry.pathOf('new')}?${new URLSearchParams({ [COPY]: id })}`),
    }),
    remove: (run) => ({ icon: <TrashIcon />, text: common.deleteAction, run }),
  };
}

/** Names in the address of a new one which one it is a copy of. */
export const COPY = 'copy';

/** Something that is switched on or off, or paused and resumed. */
interface Switching {
  title: string;
  name: string;
  run: () => Promise<unknown>;
  undo: () => Promise<unknown>;
}

/** Switches something in a list, and offers to undo it; a toast says why it was not. */
export function useSwitching(): (switching: Switching) => Promise<void> {
  const toasts = useToasts();
  const undo = useUndoStack();
  return async ({ title, name, run, undo: takeBack }) => {
    try {
      await run();
      undo.add({
        kind: title,
        title,
        description: name,
        many: (count) => ({ title, description: texts.times(count) }),
        undo: async () => void (await takeBack()),
        undoFailed: texts.notChanged,
      });
    } catch (error) {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: texts.notChanged, description });
    }
  };
}
