import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchErrors } from './watch-errors.ts';

test('what nobody caught, and which process is gone, is kept in the log until the app has quit', () => {
  const logged: unknown[] = [];
  const note = (message: string, details?: unknown) => void logged.push([message, details]);
  const [process, app] = [new EventEmitter(), new EventEmitter()];
  const end = watchErrors(
    { info: note, warn: note, error: note },
    { process: process as unknown as NodeJS.Process, app: app as unknown as Electron.App },
  );
  const error = new Error('out of nowhere');
  const gone = { type: 'GPU', reason: 'crashed', exitCode: 5 };
  const emitAll = () => {
    process.emit('uncaughtExceptionMonitor', error, 'uncaughtException');
    process.emit('unhandledRejection', error, Promise.resolve());
    app.emit('child-process-gone', {}, gone);
  };
  emitAll();
  const all = [
    ['an error that nobody caught (uncaughtException)', error],
    ['a rejection that nobody handled', error],
    ['a process of the app is gone', gone],
  ];
  expect(logged).toEqual(all);
  end();
  emitAll();
  expect(logged).toEqual(all);
});
