import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResultToast, Toast } from './toast-queue.ts';
import type { Toasts } from './toast.ts';
import { type Undoable, createUndoStack } from './undo-stack.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stack whose toasts are kept as they are by now. */
function setUp() {
  const shown = new Map<number, ResultToast>();
  const announced: string[] = [];
  let nextId = 1;
  const toasts: Toasts = {
    show: (toast: Toast) => {
      shown.set(nextId, toast as ResultToast);
      return nextId++;
    },
    update: (id, toast) => void shown.set(id, toast),
    dismiss: (id) => void shown.delete(id),
    change: () => undefined,
    announce: (text) => void announced.push(text),
  };
  const stack = createUndoStack(toasts);
  const log: string[] = [];
  const deletion = (name: string, more: Partial<Undoable> = {}): void =>
    stack.add({
      kind: 'deleted',
      title: `${name} deleted`,
      many: (count) => ({ title: `${count} deleted` }),
      undo: () => void log.push(`undo ${name}`),
      undoFailed: 'Too late',
      commit: async () => void log.push(`send ${name}`),
      commitFailed: 'Could not delete',
      ...more,
    });
  const visible = () => [...shown.values()].map(({ title, action }) => [title, action?.label]);
  return { stack, log, deletion, shown, announced, visible };
}

test('each deletion is sent after its own five seconds; the toast counts them and undoes what is left', async () => {
  const { deletion, log, visible, stack } = setUp();
  deletion('a');
  expect(visible()).toEqual([['a deleted', 'Undo']]);
  await vi.advanceTimersByTimeAsync(2000);
  deletion('b');
  deletion('c');
  expect(visible()).toEqual([['3 deleted', 'Undo all']]);
  await vi.advanceTimersByTimeAsync(2999);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(['send a']);
  expect(visible()).toEqual([['3 deleted', 'Undo last 2']]);
  expect(stack.undoLast()).toBe(true);
  expect(log).toEqual(['send a', 'undo c', 'undo b']);
  expect(visible()).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toHaveLength(3);
  expect(stack.undoLast()).toBe(false);
});

test('says how much is sent and not answered yet, but for what is followed as a change of many', async () => {
  const { stack, deletion } = setUp();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const commit = (): Promise<undefined> => promise;
  for (const name of ['a', 'b']) deletion(name, { commit });
  deletion('c and d', { commit, kind: 'deleted many', isLongWork: true });
  expect(stack.unanswered()).toBe(0);
  const sent = stack.commitAll();
  expect(stack.unanswered()).toBe(2);
  resolve(undefined);
  await sent;
  expect(stack.unanswered()).toBe(0);
});

test('what comes after the end of the session is not shown, and is taken back where it was not sent', async () => {
  const log: string[] = [];
  const stack = createUndoStack({
    show: () => undefined,
    update: () => undefined,
    dismiss: () => undefined,
    change: () => undefined,
    announce: () => undefined,
  });
  stack.add({
    kind: 'accepted',
    title: 'Alert accepted',
    many: (count) => ({ title: `${count} accepted` }),
    undo: () => void log.push('undo'),
    undoFailed: 'Too late',
    commit: async () => void log.push('send'),
  });
  expect(stack.undoLast()).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log).toEqual(['undo']);
});

test('results of different kinds keep toasts of their own, the newest is undone first', () => {
  const { deletion, log, visible, stack } = setUp();
  deletion('a');
  deletion('b', { kind: 'accepted' });
  deletion('c');
  expect(visible().map(([title]) => title)).toEqual(['a deleted', 'b deleted', 'c deleted']);
  while (stack.undoLast());
  expect(log).toEqual(['undo c', 'undo b', 'undo a']);
});

test('time stands still while a toast is paused, for what is added meanwhile, too', async () => {
  const { deletion, log, shown } = setUp();
  deletion('a');
  await vi.advanceTimersByTimeAsync(4000);
  shown.get(1)?.onPause?.(true);
  deletion('b');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toEqual([]);
  shown.get(1)?.onPause?.(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(log).toEqual(['send a']);
  await vi.advanceTimersByTimeAsync(4000);
  expect(log).toEqual(['send a', 'send b']);
});

test('time runs on in a paused toast for what has to be sent by then', async () => {
  const { deletion, log, shown } = setUp();
  deletion('a', { neverPauses: true });
  shown.get(1)?.onPause?.(true);
  deletion('b', { neverPauses: true });
  await vi.advanceTimersByTimeAsync(5000);
  shown.get(1)?.onPause?.(false);
  expect(log).toEqual(['send a', 'send b']);
});

test('a closed toast leaves its action its time, and takes no further results', async () => {
  const { deletion, log, shown, visible } = setUp();
  deletion('a');
  shown.get(1)?.onClose?.();
  shown.delete(1);
  deletion('b');
  expect(visible()).toEqual([['b deleted', 'Undo']]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(log).toEqual(['send a', 'send b']);
});

test('what cannot be sent is taken back with a toast that says why', async () => {
  const { deletion, log, shown, stack } = setUp();
  deletion('a', { commit: () => Promise.reject(new Error('The database is away.')) });
  const failures = await stack.commitAll();
  expect(failures.map(({ message }) => message)).toEqual(['The database is away.']);
  expect(log).toEqual(['undo a']);
  expect([...shown.values()]).toMatchObject([{ title: 'Could not delete', description: 'The database is away.' }]);
});

test('everything is sent at once when the page is left, and nothing when the session is over', async () => {
  const { deletion, log, stack } = setUp();
  const keptAlive: boolean[] = [];
  deletion('a', { commit: async (keepalive) => void keptAlive.push(keepalive) });
  await stack.commitAll(true);
  expect(keptAlive).toEqual([true]);
  deletion('b');
  expect(stack.drop()).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toEqual(['undo b']);
});

describe('what was sent at once', () => {
  const sentAtOnce = { kind: 'accepted', commit: undefined as never };

  test('can be undone later by itself, once', async () => {
    const { deletion, log, stack, shown } = setUp();
    deletion('a', sentAtOnce);
    deletion('b', sentAtOnce);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown.size).toBe(0);
    expect([1, 2, 3].map((id) => stack.stateOf(id))).toEqual(['possible', 'possible', 'over']);
    stack.undo(1);
    stack.undo(1);
    expect(log).toEqual(['undo a']);
    expect(stack.stateOf(1)).toBe('undone');
  });

  test('is not undone when somebody has changed it, and can be tried again when there is no connection', async () => {
    const { deletion, log, stack, shown } = setUp();
    deletion('a', { ...sentAtOnce, conflict: () => 'Ada accepted it first.' });
    let isAway = true;
    const undo = async () => {
      if (isAway) throw new Error('The server could not be reached.');
      log.push('undo b');
    };
    deletion('b', { ...sentAtOnce, undo });
    stack.undo(1);
    stack.undo(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual([]);
    expect([stack.stateOf(1), stack.stateOf(2)]).toEqual(['over', 'possible']);
    expect([...shown.values()].map(({ description }) => description)).toEqual([
      'Ada accepted it first.',
      'The server could not be reached.',
    ]);
    const [first, second] = [...shown.values()];
    expect(first).not.toHaveProperty('action');
    expect(second).toMatchObject({ action: { label: 'Try again' } });
    isAway = false;
    second?.action?.onSelect();
    expect(log).toEqual(['undo b']);
    expect(stack.stateOf(2)).toBe('undone');
  });

  test('is announced as undone once all of it is, and not where some of it was left', async () => {
    const { deletion, stack, announced } = setUp();
    const answers: (() => void)[] = [];
    const undo = () => new Promise<void>((resolve) => void answers.push(resolve));
    deletion('a', { ...sentAtOnce, undo });
    deletion('b', { ...sentAtOnce, undo });
    stack.undoLast();
    answers[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(announced).toEqual([]);
    answers[1]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(announced).toEqual(['Undone']);
    deletion('c', sentAtOnce);
    deletion('d', { ...sentAtOnce, conflict: () => 'Ada accepted it first.' });
    stack.undoLast();
    await vi.advanceTimersByTimeAsync(0);
    deletion('e', { ...sentAtOnce, undo: () => Promise.reject(new Error('The server could not be reached.')) });
    stack.undoLast();
    await vi.advanceTimersByTimeAsync(0);
    expect(announced).toEqual(['Undone']);
  });

  test('is counted out of its toast once, however often it is tried', async () => {
    const { deletion, stack, visible } = setUp();
    deletion('a', { ...sentAtOnce, undo: () => Promise.reject(new Error('The server could not be reached.')) });
    deletion('b', sentAtOnce);
    deletion('c', sentAtOnce);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      stack.undo(1);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(visible()[0]).toEqual(['2 deleted', 'Undo all']);
  });
});

test('whoever shows what can be undone is notified of each change, until they look away', async () => {
  const { deletion, stack } = setUp();
  const versions: number[] = [];
  const unsubscribe = stack.subscribe(() => versions.push(stack.version()));
  deletion('a');
  await vi.advanceTimersByTimeAsync(5000);
  expect(versions.length).toBeGreaterThanOrEqual(2);
  expect(versions).toEqual([...new Set(versions)]);
  const seen = versions.length;
  unsubscribe();
  deletion('b');
  expect(versions).toHaveLength(seen);
});
