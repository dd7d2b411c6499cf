/** `npm run demo`: sends made-up alerts, as real systems would, to a running server. */
import { readDotEnv } from '#backend/server/read-dot-env.ts';
import { runCommand } from '#scripts/complaint.ts';
import { findCredentials } from './find-credentials.ts';
import { USAGE, readOptions } from './options.ts';
import { runDemo } from './run-demo.ts';
import { signIn } from './signed-in-client.ts';

/** Exit code of a command that Ctrl+C ended. */
const INTERRUPTED = 130;

/** The terminal and npm may both pass on one Ctrl+C; within so many milliseconds it is the same one. */
const ECHO = 1_000;

/** Ctrl+C ends the sending and leaves the demo time to tidy up; a second one ends it at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted && performance.now() - firstAt > ECHO) process.exit(INTERRUPTED);
      firstAt ||= performance.now();
      controller.abort();
    });
  }
  return controller.signal;
}

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2), () => Date.now() % 2 ** 32);
  if (!options) {
    console.log(USAGE);
    return;
  }
  readDotEnv();
  const signal = interruption();
  const credentials = await findCredentials(options.url, process.env);
  const client = await signIn(options.url, { ...credentials, code: options.code });
  const what = { steady: 'Press Ctrl+C to stop.', burst: '', from: '' }[options.mode.kind];
  console.log(`Sending alerts to ${options.url.origin} (seed ${options.seed}). ${what}`.trimEnd());
  await runDemo(options, client, signal, Number(process.env['SMTP_PORT']) || undefined);
});
