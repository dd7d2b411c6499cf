import { atom } from 'jotai';
import { ApiError } from '#renderer/lib/api-client.ts';
import type { UndoStack, Undoable } from './undo-stack.ts';
import * as texts from './texts.ts';

/**
 * What was deleted here but can still be brought back, by id: the DELETE call is sent only when the toast has gone. Screens
 * leave it out meanwhile, whatever an answer or an event says.
 */
export function createPendingDeletions<Deleted extends { id: string }>() {
  const pendingAtom = atom<ReadonlyMap<string, Deleted>>(new Map<string, Deleted>());
  /** Adds to these, or takes from them. Write-only. */
  const markAtom = atom(null, (get, set, deleted: Deleted, isPending: boolean) => {
    const next = new Map(get(pendingAtom));
    if (isPending) next.set(deleted.id, deleted);
    else next.delete(deleted.id);
    set(pendingAtom, next);
  });
  return { pendingAtom, markAtom };
}

/** How one deletion is delayed, undone and sent. */
interface Deletion {
  /** Shows again what is hidden while it can be brought back. */
  show: () => void;
  /** Sends the DELETE call. A failure that says that it is {@link isSettledElsewhere} counts as success. */
  send: (keepalive: boolean) => Promise<unknown>;
  onUndone?: () => void;
  /** Called while it is still hidden. */
  onSent?: () => void | Promise<void>;
  onFailed?: () => void;
}

/** Whether a failure says that what was to be changed is no longer as it was here: deleted (404) or changed by someone else (409). */
export const isSettledElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 409);

/**
 * Sends a call that what was deleted here may stand in the way of, by its name or its place. Where the server refuses it (409)
 * while such deletions are pending, they are sent, and then the call again.
 *
 * @param pending the deletions that can still be undone, of one kind of the undo stack
 */
export async function sendPastDeletions<Answer>(
  undo: UndoStack,
  pending: { kind: string; areAny: () => boolean },
  send: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409 && pending.areAny())) throw error;
    await undo.commitAll(false, pending.kind);
    return send();
  }
}

/** The parts of an {@link Undoable} that every deletion has in common (docs/decisions/0010-undo.md). */
export const undoableDeletion = ({
  show,
  send,
  onUndone,
  onSent,
  onFailed,
}: Deletion): Pick<Undoable, 'undo' | 'undoFailed' | 'commit'> => ({
  undo: () => {
    show();
    onUndone?.();
  },
  undoFailed: texts.tooLateToUndo,
  commit: async (keepalive) => {
    try {
      await send(keepalive);
    } catch (error) {
      if (!isSettledElsewhere(error)) {
        onFailed?.();
        throw error;
      }
    }
    await onSent?.();
    show();
  },
});
