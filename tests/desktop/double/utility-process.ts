import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { COMPILE_CACHE_DIR, PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { World } from './world.ts';

/** Gives the child its port to this process. */
const PARENT_PORT = pathToFileURL(join(PROJECT_DIR, 'tests', 'support', 'parent-port.mjs')).href;

type Members = 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill';

/** What Electron calls the service that each utility process is; the app's own name for one is apart from it. */
const SERVICE = 'node.mojom.NodeService';

/** A utility process: a real child, whose messages are cloned on their way. */
export class DoubleUtilityProcess extends EventEmitter implements Pick<Electron.UtilityProcess, Members> {
  pid: number | undefined;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly #name: string;
  #child: ChildProcess;
  #world: World;

  constructor(world: World, modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}) {
    super();
    this.#world = world;
    this.#name = options.serviceName ?? 'Node Utility Process';
    const stdio = options.stdio === 'pipe' ? 'pipe' : 'inherit';
    this.#child = fork(modulePath, args, {
      // Every start compiles the same seven megabytes.
      env: { ...((options.env ?? process.env) as NodeJS.ProcessEnv), NODE_COMPILE_CACHE: COMPILE_CACHE_DIR },
      cwd: options.cwd ?? process.cwd(),
      serialization: 'advanced',
      // An unhandled rejection does not end it by itself, other than in Node.
      execArgv: ['--unhandled-rejections=warn-with-error-code', '--import', PARENT_PORT],
      stdio: ['ignore', stdio, stdio, 'ipc'],
    });
    this.pid = this.#child.pid;
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    world.children.add(this);
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => {
      world.children.delete(this);
      this.pid = undefined;
      const reason = signal === null ? 'abnormal-exit' : 'killed';
      if (code !== 0) {
        const details = { type: 'Utility', reason, exitCode: code ?? 1, serviceName: SERVICE, name: this.#name };
        world.app.emit('child-process-gone', {}, details);
      }
      // On POSIX one that was killed counts as ended well.
      this.emit('exit', code ?? 0);
    });
  }

  /** As `app.getAppMetrics` lists it. */
  get metric(): Electron.ProcessMetric | undefined {
    const { pid } = this;
    const listed = { type: 'Utility' as const, serviceName: SERVICE, name: this.#name, creationTime: 0 };
    return pid === undefined ? undefined : ({ ...listed, pid } as Electron.ProcessMetric);
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object);
  }

  /** V8 cannot go on, as without memory: `error`, which is an exception where nobody listens, and then the end. */
  failFatally(): void {
    try {
      this.emit('error', 'FatalError', 'Heap limit Allocation failed', '{"environmentVariables":{}}');
    } catch (error) {
      this.#world.errorBoxes.push({
        title: 'A JavaScript error occurred in the main process',
        content: `Uncaught Exception:\n${String(error)}`,
      });
    }
    this.#child.kill('SIGABRT');
  }

  kill(): boolean {
    return this.#child.kill('SIGKILL');
  }
}
