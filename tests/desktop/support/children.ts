import type { Double } from '#tests/desktop/double/electron.ts';
import type { DoubleUtilityProcess } from '#tests/desktop/double/utility-process.ts';

/** The next process that the app starts, as soon as it has: who polls for it may find it well on its way. */
export function nextChild({ world: { children } }: Double): Promise<DoubleUtilityProcess> {
  const { promise, resolve } = Promise.withResolvers<DoubleUtilityProcess>();
  const add = children.add.bind(children);
  children.add = (child) => {
    children.add = add;
    resolve(child);
    return add(child);
  };
  return promise;
}

/** Sends a signal to a process of the app. Throws where it has ended: a signal to no id is one to the tests themselves. */
export function signal(child: DoubleUtilityProcess | undefined, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (child?.pid === undefined) throw new Error('The process has ended.');
  process.kill(child.pid, name);
}
