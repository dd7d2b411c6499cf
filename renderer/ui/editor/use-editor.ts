import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { startOfCharacter } from '#backend/contract/cut-text.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { notePage } from '#renderer/lib/note-page.ts';
import { useIsShown } from '#renderer/lib/use-is-shown.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useFocusOfNew } from '#renderer/ui/focus-of-new.ts';
import { useFocusOfDisabled } from '#renderer/ui/keep-focus.ts';
import { type LeaveGuard, useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { type Marks, mergeWritten, saysSame } from './merge-written.ts';
import * as texts from './texts.ts';

/** What is stored of something that is edited, as far as saving it is concerned. */
interface Versioned {
  version: number;
}

interface EditorOptions<Stored extends Versioned, Written extends { name: string }> {
  /** What is changed, as it is stored by now; undefined of a new one, and of one that is deleted meanwhile. */
  before: Stored | undefined;
  /** The page of all of them, which follows one that is given up because a colleague has deleted it. */
  listPath: string;
  /** What is written at first. */
  startOf: (stored: Stored | undefined) => Written;
  marksOf?: (stored: Stored) => Marks<Written>;
  /** What is saved of it, where fields can differ and say the same; undefined while something is missing. */
  sentOf?: (written: Written) => unknown;
  /** A new one begins as a copy of this one. */
  copied?: Stored | undefined;
  /** What is written of a new one already, such as by the link that led here. */
  given?: Partial<Written> | undefined;
  /**
   * Saves a new one, and resolves to the page that follows, undefined where this page stays. Throws what the server says. What
   * is written stays as it was sent meanwhile. Who has left the page by then stays where they are, and reads what became of it.
   */
  create: (written: Written) => Promise<string | undefined>;
  /** Saves one as it was `seen`, and resolves to it as it is then. Throws what the server says. */
  update: (seen: Stored, written: Written) => Promise<Stored>;
  /** Reads again what is stored. */
  readAgain: () => Promise<void>;
  /** Shown when a changed one was saved, and what follows from that. */
  saved: string;
  savedHint?: string | undefined;
  /** Fields at which the page shows what is wrong with them. */
  shownAt?: (written: Written) => readonly string[];
}

/** Something that is being written: how it is changed, saved and given up. */
export interface Editor<Written, Stored = unknown> {
  /**
   * What is changed, as the page shows it: undefined of a new one, and once a colleague has deleted it. What is deleted here is
   * shown until the page is left.
   */
  before: Stored | undefined;
  written: Written;
  change: (some: Partial<Written>) => void;
  /** Whether leaving would lose something. */
  isChanged: boolean;
  isPending: boolean;
  /** Why the last call failed, where that is not shown at a field. */
  failure: string | undefined;
  /** Shows what is wrong with a field that was not changed, until it is changed. */
  fail: (field: keyof Written & string, text: string) => void;
  /** What is wrong with a field, as the server said when it was saved. */
  faultAt: (field: keyof Written) => string | undefined;
  save: () => void;
  discard: () => void;
  /** Makes another call about it, whose failure is shown in the same place. While one runs, no other is made. */
  run: (work: () => Promise<unknown>) => void;
  /** A colleague has saved the same fields in the meantime; undefined while that is not so. */
  conflict: { showTheirs: () => void; keepMine: () => void } | undefined;
  /**
   * A colleague has deleted it. What was changed here by then is a `draft`, called as it was stored, which can be saved as a new
   * one; else there is nothing to keep.
   */
  deleted: { isDraft: boolean; name: string } | undefined;
  guard: LeaveGuard;
  /** While the page is being left on purpose, nothing is asked. */
  setLeaving: (isLeaving: boolean) => void;
}

const noMarks = () => ({});

const asWritten = () => undefined;

/** Longest name, in characters. */
const MAX_NAME = 100;

/** What a copy is called at first: of a long name as much as leaves space to say that it is one. */
function nameOfCopy(name: string): string {
  const most = MAX_NAME - texts.copyOf('').length;
  return texts.copyOf(name.slice(0, startOfCharacter(name, most) || most).trimEnd());
}

interface Failure {
  text: string;
  errors: { path: string; message: string }[];
}

const failureOf = (error: unknown): Failure => ({
  text: messageOf(error),
  errors: (error instanceof ApiError && error.errors) || [],
});

/** The field that an error is about. */
const fieldOf = ({ path }: { path: string }): string => path.split('.')[0] ?? '';

/** A failure once some fields were changed; undefined where it was about these alone. */
function failureWithout(failure: Failure, changed: object): Failure | undefined {
  const errors = failure.errors.filter((error) => !(fieldOf(error) in changed));
  return errors.length === 0 && failure.errors.length > 0 ? undefined : { ...failure, errors };
}

/**
 * Holds what is written on a page that edits something, such as a destination, a heartbeat or a maintenance window, and saves it.
 * What colleagues save of it in the meantime is taken over, but for the fields that were changed here: then they are asked
 * about, and nothing is saved over. Where a colleague deletes it, a draft stays, and can be saved as a new one.
 */
export function useEditor<Stored extends Versioned, Written extends { name: string }>(
  options: EditorOptions<Stored, Written>,
): Editor<Written, Stored> {
  const {
    before,
    listPath,
    startOf,
    marksOf = noMarks,
    sentOf = asWritten,
    copied,
    given,
    create,
    update,
    readAgain,
    saved,
    savedHint,
    shownAt,
  } = options;
  /** What is written, and on what it was written. */
  const [{ written, seen }, setState] = useState(() => {
    const started = startOf(before ?? copied);
    return {
      written: {
        ...started,
        ...(copied && { name: nameOfCopy(started.name) }),
        ...given,
      },
      seen: before,
    };
  });
  const [failure, setFailure] = useState<Failure>();
  const [isPending, setPending] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  const toasts = useToasts();
  const isShown = useIsShown();
  const start = startOf(seen);
  const isWritten = !saysSame(start, written, sentOf);
  const isDeleted = before === undefined && seen !== undefined && !isLeaving;
  /** Whether there was a draft when it was deleted. One that is written back to what was stored is still one. */
  const [isDraft, setDraft] = useState(false);
  if (isDeleted ? isWritten && !isDraft : isDraft) setDraft(isDeleted);
  const isChanged = isWritten || (isDeleted && isDraft);
  useFocusOfDisabled([isChanged, isPending]);
  useFocusOfNew(before === undefined);
  const guard = useLeaveGuard(isChanged && !isLeaving);

  const isOutdated = before !== undefined && seen !== undefined && before.version > seen.version && !isPending;
  const merged = isOutdated
    ? mergeWritten(start, written, startOf(before), { start: marksOf(seen), theirs: marksOf(before) })
    : undefined;
  if (merged?.conflicts.length === 0) setState({ written: merged.written, seen: before });
  const hasConflict = merged !== undefined && merged.conflicts.length > 0;

  const name = inertLine(written.name);
  /** What asks to save may be of an earlier drawing, in which nothing ran. */
  const isRunning = useRef(false);
  const run = async (work: (isHere: () => boolean) => Promise<unknown>): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    setFailure(undefined);
    const isSamePage = notePage();
    const isHere = (): boolean => isShown() && isSamePage();
    try {
      await work(isHere);
    } catch (error) {
      setLeaving(false);
      setFailure(failureOf(error));
      if (!isHere()) {
        const title = seen && !isDeleted ? texts.notChanged(name) : texts.notCreated(name);
        toasts.show({ variant: 'destructive', title, description: messageOf(error) });
      }
      // It may have been changed, or deleted, by somebody else.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) await readAgain();
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  };
  /** At once: the page is left by what follows, and nobody is asked whether it may be. */
  const leave = (go: () => void): void => {
    flushSync(() => {
      setLeaving(true);
      setPending(false);
      guard.stay();
    });
    go();
  };
  const save = async (isHere: () => boolean): Promise<void> => {
    if (seen && !isDeleted) {
      const stored = await update(seen, written);
      // What was typed while it was being saved stays.
      setState((now) => ({ written: mergeWritten(written, now.written, startOf(stored)).written, seen: stored }));
      toasts.show({ title: saved, ...(savedHint !== undefined && { description: savedHint }) });
      return;
    }
    // From here on it is a new one.
    setState({ written, seen: undefined });
    const next = await create(written);
    if (!isHere()) {
      toasts.show({ title: saved, description: name });
      return;
    }
    leave(() => {
      if (next !== undefined) void navigate(next, { replace: true });
    });
  };
  /** Goes on from what is stored; why something earlier was not saved no longer counts. */
  const startAgain = (next: Written): void => {
    setState({ written: next, seen: before });
    setFailure(undefined);
  };
  /** A new one that is being created is as it was sent: what would be written now would be lost. */
  const isSent = (): boolean => isRunning.current && seen === undefined;
  const isAtField = (error: { path: string }): boolean => shownAt?.(written).includes(fieldOf(error)) === true;
  const isAtFields = failure !== undefined && failure.errors.length > 0 && failure.errors.every(isAtField);
  return {
    before: before ?? (isLeaving ? seen : undefined),
    written,
    change(some) {
      if (isSent()) return;
      setState((now) => ({ ...now, written: { ...now.written, ...some } }));
      setFailure((now) => now && failureWithout(now, some));
    },
    isChanged,
    isPending,
    failure: isAtFields || hasConflict || isDeleted ? undefined : failure?.text,
    fail: (path, text) => setFailure({ text, errors: [{ path, message: text }] }),
    faultAt: (field) => failure?.errors.find((error) => fieldOf(error) === field)?.message,
    save: () => void run(save),
    discard() {
      if (isDeleted) leave(() => void navigate(listPath));
      else if (!isSent()) startAgain(startOf(before));
    },
    run: (work) => void run(work),
    conflict: hasConflict
      ? {
          showTheirs: () => startAgain(merged.theirs),
          keepMine: () => startAgain(merged.written),
        }
      : undefined,
    deleted: isDeleted ? { isDraft: isChanged, name: inertLine(start.name) } : undefined,
    guard,
    setLeaving,
  };
}

/**
 * Whether something is there, or was while its page was open: its editor stays where it is deleted meanwhile, and says what
 * became of it.
 */
export function useWasThere(id: string, isThere: boolean): boolean {
  const [thereId, setThereId] = useState<string>();
  const wasThere = isThere || thereId === id;
  const next = wasThere ? id : undefined;
  if (next !== thereId) setThereId(next);
  return wasThere;
}
