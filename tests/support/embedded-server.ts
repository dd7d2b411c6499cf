import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type EmbeddedReport, embeddedReportSchema } from '#backend/contract/embedded.ts';

const PARENT_PORT = pathToFileURL(join(PROJECT_DIR, 'tests', 'support', 'parent-port.mjs')).href;

/** How a start went. */
type StartReport = Exclude<EmbeddedReport, { type: 'updating' }>;

/** The embedded server's bundle, running on plain Node as it does in Electron's utility process. */
export interface EmbeddedServer {
  report: StartReport;
  /** What it has written to stdout: its log. */
  output(): string;
  /** Asks it to stop; resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `folder`'s bundle; resolves when it has reported how that went. */
export async function startEmbeddedServer(
  folder: string,
  environment: Record<string, string>,
): Promise<EmbeddedServer> {
  const child: ChildProcess = fork(join(folder, 'backend', 'embedded.mjs'), {
    cwd: folder,
    // Nothing of this machine: above all not where modules are.
    env: environment,
    execArgv: ['--import', PARENT_PORT],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = once(child, 'exit').then(([code]) => {
    process.off('exit', kill);
    return code as number | null;
  });
  const report = await Promise.race([
    new Promise<StartReport>((resolve) => {
      child.on('message', (message) => {
        const reported = embeddedReportSchema.parse(message);
        if (reported.type !== 'updating') resolve(reported);
      });
    }),
    exit.then((code) => {
      throw new Error(`The embedded server ended with code ${code}.\n${output}`);
    }),
  ]);
  return {
    report,
    output: () => output,
    async stop() {
      // It may end by itself at this moment: then there is nobody to stop.
      if (child.connected) child.send({ type: 'stop' }, () => undefined);
      return exit;
    },
  };
}
