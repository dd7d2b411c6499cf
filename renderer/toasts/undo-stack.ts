import { useStore } from 'jotai';
import type { ToastSubject } from './stored-recent.ts';
import { type ResultToast, TOAST_DURATION_MS } from './toast-queue.ts';
import { type Toasts, useToasts } from './toast.ts';
import * as common from '#renderer/lib/texts.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import * as texts from './texts.ts';

/** How long each action can be undone from its toast or by Z, in milliseconds; while the toast is paused, so is the time. */
const UNDO_MS = TOAST_DURATION_MS;

/** Most actions that the bell's list of past toasts can undo. */
const MAX_ACTIONS = 50;

/** What an undo rejects with that brought back what it could: tried again it would do no more. */
export class PartlyUndoneError extends Error {}

/** Something that was done and can be undone. */
export interface Undoable {
  /** Results of one kind that follow each other become one toast with a count. */
  kind: string;
  title: string;
  description?: string | undefined;
  subject?: ToastSubject | undefined;
  /** What a toast says of several of this kind. */
  many: (count: number) => { title: string; description?: string };
  /** How long it can be undone where that is not the usual five seconds, in milliseconds: its toast says more. */
  durationMs?: number;
  /** Its time runs on while the toast is paused: what is pending has to be sent by then. */
  neverPauses?: boolean;
  /** Brings back what was before. Rejects when that fails. */
  undo: () => void | Promise<void>;
  /** Title of the toast when that fails. */
  undoFailed: string;
  /** Why it can no longer be undone, because somebody has changed it since. */
  conflict?: () => string | undefined;
  /**
   * Sends what was delayed for those five seconds; absent for what was sent at once. When it fails, `undo` is called and a toast says
   * why. `keepalive` lets the call outlive the page.
   */
  commit?: (keepalive: boolean) => Promise<void>;
  commitFailed?: string;
  /** What `commit` sends is followed as long work (`renderer/lib/long-work.ts`), which counts how much of it is left. */
  isLongWork?: boolean;
}

/** Whether an action can be undone, has been, or neither. */
export type UndoState = 'possible' | 'undone' | 'over';

/** What was done last, and how it is undone (docs/decisions/0010-undo.md). */
export interface UndoStack {
  /** Reports an action in a toast from which, as by Z, it can be undone. */
  add(undoable: Undoable): void;
  /** Undoes the last action, or all of its toast together. False when there is nothing to undo. */
  undoLast(): boolean;
  /** Undoes one action of {@link RecentToast.undoId}. */
  undo(id: number): void;
  stateOf(id: number): UndoState;
  /** Sends everything that is pending, or what of it is of kinds that begin so; resolves with why some of it failed. */
  commitAll(keepalive?: boolean, kind?: string): Promise<readonly Error[]>;
  /** How much of what was delayed is sent, and not answered yet, but for what is followed as long work. */
  unanswered(): number;
  /** Forgets everything without sending it: the session is over. Returns how much was pending. */
  drop(): number;
  subscribe(listener: () => void): () => void;
  /** Another number after each change. */
  version(): number;
}

/** Results that share a toast. */
interface Group {
  kind: string;
  count: number;
  toastId: number | undefined;
}

interface Action {
  id: number;
  group: Group;
  undoable: Undoable;
  state: UndoState;
  /** Its five seconds run. */
  isOpen: boolean;
  /** Its toast counts it. */
  isCounted: boolean;
  left: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates an undo stack that shows its actions by `toasts`. */
export function createUndoStack(toasts: Toasts): UndoStack {
  let nextId = 1;
  let actions: readonly Action[] = [];
  let isPaused = false;
  let version = 0;
  const inFlight = new Map<Promise<Error | undefined>, Undoable>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const openOf = (group: Group): Action[] => actions.filter((action) => action.isOpen && action.group === group);

  const start = (action: Action): void => {
    action.since = performance.now();
    action.timer = setTimeout(() => end(action, false), action.left);
  };
  const stop = (action: Action): void => {
    if (action.timer === undefined) return;
    clearTimeout(action.timer);
    action.timer = undefined;
    action.left = Math.max(0, action.left - (performance.now() - action.since));
  };
  const pause = (paused: boolean): void => {
    if (paused === isPaused) return;
    isPaused = paused;
    for (const action of actions.filter(({ isOpen, undoable }) => isOpen && !undoable.neverPauses))
      (paused ? stop : start)(action);
  };

  /** Shows the toast of a group, or what became of it: after its `newest` action in front, else where it is. */
  const show = (group: Group, newest?: Action): void => {
    const open = openOf(group);
    const last = open.at(-1);
    if (!last) {
      if (group.toastId !== undefined) toasts.dismiss(group.toastId);
      group.toastId = undefined;
      return;
    }
    const { title, description, subject, many } = last.undoable;
    const toast: ResultToast = {
      ...(group.count === 1 ? { title, description, subject } : many(group.count)),
      action: { label: labelOf(group.count, open.length), hotkey: 'Z', onSelect: () => undoAll(openOf(group)) },
      onClose: () => void (group.toastId = undefined),
      onPause: pause,
      record: newest ? { title, description, subjects: subject ? [subject] : [], undoId: newest.id } : null,
    };
    if (group.toastId !== undefined) toasts.update(group.toastId, toast, newest === undefined);
    else if (newest) group.toastId = toasts.show(toast);
  };

  /** The five seconds of an action are over: what was pending is sent. */
  const end = (action: Action, keepalive: boolean): void => {
    stop(action);
    action.isOpen = false;
    if (action.undoable.commit) {
      action.state = 'over';
      send(action.undoable, action.undoable.commit, keepalive);
    }
    show(action.group);
    changed();
  };

  const send = (undoable: Undoable, commit: NonNullable<Undoable['commit']>, keepalive: boolean): void => {
    const sending = commit(keepalive).then(
      () => undefined,
      async (error: Error) => {
        await undoable.undo();
        toasts.show({
          variant: 'destructive',
          title: undoable.commitFailed ?? undoable.undoFailed,
          description: error.message,
          subject: undoable.subject,
        });
        return error;
      },
    );
    inFlight.set(sending, undoable);
    void sending.finally(() => inFlight.delete(sending));
  };

  const undoAll = (undone: readonly Action[]): void => {
    const results: Promise<boolean>[] = [];
    for (const action of undone.toReversed()) {
      stop(action);
      action.isOpen = false;
      action.state = 'undone';
      if (action.isCounted) action.group.count -= 1;
      action.isCounted = false;
      results.push(undoOne(action));
    }
    for (const group of new Set(undone.map((action) => action.group))) show(group);
    changed();
    void announceWhenDone(results);
  };

  /** Says that all was undone once it is. Toasts say what was not. */
  const announceWhenDone = async (results: readonly Promise<boolean>[]): Promise<void> => {
    const isAll = (await Promise.all(results)).every(Boolean);
    if (isAll && results.length > 0) toasts.announce('Undone');
  };

  const undo = (id: number): void =>
    undoAll(actions.filter((action) => action.id === id && action.state === 'possible'));

  /** Resolves to whether it was undone. */
  const undoOne = async (action: Action): Promise<boolean> => {
    const { undoable } = action;
    const conflict = undoable.conflict?.();
    try {
      if (conflict !== undefined) throw new Error(conflict);
      await undoable.undo();
      return true;
    } catch (error) {
      // What was not sent, for want of a connection, can be tried again.
      const canRetry = conflict === undefined && !(error instanceof PartlyUndoneError);
      action.state = canRetry ? 'possible' : 'over';
      const description = messageOf(error);
      const { undoFailed: title, subject } = undoable;
      const again = { label: common.tryAgain, onSelect: () => undo(action.id) };
      toasts.show({ variant: 'destructive', title, description, subject, ...(canRetry && { action: again }) });
      changed();
      return false;
    }
  };

  return {
    add(undoable) {
      const last = actions.findLast(({ isOpen }) => isOpen)?.group;
      const isSame = last?.kind === undoable.kind && last.toastId !== undefined;
      const group = isSame ? last : { kind: undoable.kind, count: 0, toastId: undefined };
      group.count += 1;
      const action: Action = {
        id: nextId++,
        group,
        undoable,
        state: 'possible',
        isOpen: true,
        isCounted: true,
        left: undoable.durationMs ?? UNDO_MS,
        since: 0,
        timer: undefined,
      };
      const before = actions.slice(-MAX_ACTIONS + 1);
      actions = [...actions.filter((one) => one.isOpen && !before.includes(one)), ...before, action];
      if (!isPaused || undoable.neverPauses) start(action);
      show(group, action);
      // The session has ended: nobody is there who could undo it.
      if (group.toastId === undefined) {
        clearTimeout(action.timer);
        actions = actions.filter((one) => one !== action);
        // As `drop` does.
        if (undoable.commit) void undoable.undo();
      }
      changed();
    },
    undoLast() {
      const last = actions.findLast(({ isOpen }) => isOpen);
      if (last) undoAll(openOf(last.group));
      return last !== undefined;
    },
    undo,
    stateOf: (id) => actions.find((action) => action.id === id)?.state ?? 'over',
    async commitAll(keepalive = false, kind = '') {
      const isMeant = ({ isOpen, undoable }: Action) => isOpen && undoable.kind.startsWith(kind);
      for (const action of actions.filter(isMeant)) end(action, keepalive);
      return (await Promise.all(inFlight.keys())).filter((error) => error !== undefined);
    },
    unanswered: () => [...inFlight.values()].filter(({ isLongWork }) => !isLongWork).length,
    drop() {
      for (const action of actions) clearTimeout(action.timer);
      const unsent = actions.filter(({ isOpen, undoable }) => isOpen && undoable.commit);
      actions = [];
      isPaused = false;
      for (const { undoable } of unsent) void undoable.undo();
      changed();
      return unsent.length;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}

/** What undoes so many of the results that a toast counts: the time of the first ones may be over. */
function labelOf(count: number, open: number): string {
  if (count === 1) return common.undo;
  if (open === count) return texts.undoAll;
  return open === 1 ? texts.undoLast : texts.undoLastOf(open);
}

const stacks = new WeakMap<ReturnType<typeof useStore>, UndoStack>();

/** The app's undo stack: the same for everybody, whichever screen is open. */
export function useUndoStack(): UndoStack {
  const store = useStore();
  const toasts = useToasts();
  const known = stacks.get(store);
  if (known) return known;
  const stack = createUndoStack(toasts);
  stacks.set(store, stack);
  return stack;
}
