// Runs in a child before its script: gives it `process.parentPort`, as Electron's utility processes have it.
process.parentPort = {
  postMessage: (message) => process.send(message),
  on: (event, listener) => process.on(event, (data) => listener({ data, ports: [] })),
};
// Who started it is gone: a utility process does not outlive the app.
process.on('disconnect', () => process.exit(1));
