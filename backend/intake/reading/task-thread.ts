import type { Worker } from 'node:worker_threads';

/** What a thread may take. */
export interface TaskLimits {
  /** How long the thread may be silent with a task before it is replaced, in milliseconds. */
  silentMs: number;
  /** How long a task may wait until it begins, in milliseconds: senders wait no longer for an answer. */
  waitMs: number;
  /** How much the tasks that are not done may keep in memory together, in bytes or characters. */
  maxWaiting: number;
}

const LIMITS: TaskLimits = { silentMs: 20_000, waitMs: 20_000, maxWaiting: 64 * 1024 * 1024 };

/** What a thread has to do. */
export interface ThreadTask<Answer> {
  /** What the thread is asked. */
  message: object;
  /** How much the task keeps in memory, in bytes or characters. */
  size: number;
  /** Receives what the thread says, and may answer it. @returns whether the task is done */
  take: (answer: Answer, reply: (message: object) => void) => boolean;
  /** Called instead where the thread fails or is silent with this task, is stopped, or does not come to it in time. */
  fail: () => void;
}

/** A thread that does one task after the other. */
export interface TaskThread<Answer> {
  add(task: ThreadTask<Answer>): void;
  stop(): Promise<void>;
}

const sendTo =
  (worker: Worker) =>
  (message: object): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message);

/**
 * A thread for tasks, which starts with the first, and again with the next one after it has failed. A task is sent when
 * its turn comes, so that the time in the queue is no silence, and only one at a time is copied. One whose turn does not come
 * in time leaves the queue: what its sender sends again is not read twice.
 *
 * @param startWorker starts the thread. Bundlers find its script only where `new Worker` stands around its `new URL`.
 */
export function createTaskThread<Answer>(
  startWorker: () => Worker,
  limits: Partial<TaskLimits> = {},
): TaskThread<Answer> {
  const { silentMs, waitMs, maxWaiting } = { ...LIMITS, ...limits };
  /** Tasks that have not begun, the oldest first, each with the end of its patience. */
  const queue = new Map<ThreadTask<Answer>, NodeJS.Timeout>();
  let active: { task: ThreadTask<Answer>; timer: NodeJS.Timeout } | undefined;
  let worker: Worker | undefined;
  let size = 0;
  let isStopped = false;

  const dequeue = (task: ThreadTask<Answer>): void => {
    clearTimeout(queue.get(task));
    queue.delete(task);
  };
  const finish = (): ThreadTask<Answer> | undefined => {
    if (!active) return undefined;
    const { task, timer } = active;
    clearTimeout(timer);
    active = undefined;
    size -= task.size;
    return task;
  };
  const fail = (failed: Worker): void => {
    if (worker !== failed) return;
    worker = undefined;
    void failed.terminate();
    finish()?.fail();
    startNext();
  };
  const start = (): Worker => {
    const started = startWorker();
    const reply = sendTo(started);
    started.on('message', (answer: Answer) => {
      if (worker !== started || !active) return;
      active.timer.refresh();
      if (!active.task.take(answer, reply)) return;
      finish();
      startNext();
    });
    started.on('error', () => fail(started));
    started.on('exit', () => fail(started));
    return started;
  };
  const startNext = (): void => {
    if (active) return;
    const [task] = queue.keys();
    // The process may end while the thread has nothing to do.
    if (!task) return worker?.unref();
    dequeue(task);
    const used = (worker ??= start());
    used.ref();
    active = { task, timer: setTimeout(() => fail(used), silentMs) };
    sendTo(used)(task.message);
  };

  return {
    add(task) {
      // One that is too large for the limit is taken alone.
      if (isStopped || (size > 0 && size + task.size > maxWaiting)) return task.fail();
      size += task.size;
      const giveUp = () => {
        dequeue(task);
        size -= task.size;
        task.fail();
      };
      queue.set(task, setTimeout(giveUp, waitMs));
      startNext();
    },
    async stop() {
      isStopped = true;
      const ending = worker;
      worker = undefined;
      const left = [finish(), ...queue.keys()];
      for (const task of queue.keys()) dequeue(task);
      size = 0;
      for (const task of left) task?.fail();
      await ending?.terminate();
    },
  };
}
