// Imported first by a child process: gives it `process.parentPort`, as Electron's utility processes have it, over Node's
// own channel.
import process from 'node:process';

process.parentPort = {
  postMessage: (message) => process.send?.(message),
  on: (event, listener) => process.on(event, (data) => listener({ data, ports: [] })),
};
// A utility process does not outlive the app that started it.
process.on('disconnect', () => process.exit(1));
