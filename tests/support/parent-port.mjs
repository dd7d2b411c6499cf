/**
 * Imported first by a child process, gives it the way to its parent that Electron's utility processes have:
 * `process.parentPort`, over Node's own channel.
 */
import process from 'node:process';

process.parentPort = {
  postMessage: (message) => process.send?.(message),
  on: (event, listener) => process.on(event, (data) => listener({ data })),
};
