import { expect, onTestFinished, test } from 'vitest';
import { watchErrors } from './watch-errors.ts';

test('what nobody caught is kept in the log, until the app has quit', () => {
  const logged: unknown[] = [];
  const note = (message: string, details?: unknown) => void logged.push([message, details]);
  const before = process.listenerCount('uncaughtExceptionMonitor');
  const end = watchErrors({ info: note, warn: note, error: note });
  onTestFinished(end);
  const error = new Error('out of nowhere');
  const emitter: NodeJS.EventEmitter = process;
  emitter.emit('uncaughtExceptionMonitor', error, 'unhandledRejection');
  expect(logged).toEqual([['an error that nobody caught (unhandledRejection)', error]]);
  end();
  expect(process.listenerCount('uncaughtExceptionMonitor')).toBe(before);
});
