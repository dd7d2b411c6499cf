import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { World } from './world.ts';

type Members = 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill';

/** A utility process: a real child, whose messages are cloned on their way. */
export class DoubleUtilityProcess extends EventEmitter implements Pick<Electron.UtilityProcess, Members> {
  pid: number | undefined;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  #child: ChildProcess;

  constructor(world: World, modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}) {
    super();
    const stdio = options.stdio === 'pipe' ? 'pipe' : 'inherit';
    this.#child = fork(modulePath, args, {
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      cwd: options.cwd ?? world.userData,
      serialization: 'advanced',
      execArgv: ['--import', join(import.meta.dirname, 'parent-port.mjs')],
      stdio: ['ignore', stdio, stdio, 'ipc'],
    });
    this.pid = this.#child.pid;
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    world.children.add(this);
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code) => {
      world.children.delete(this);
      this.pid = undefined;
      this.emit('exit', code ?? 1);
    });
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object);
  }

  kill(): boolean {
    return this.#child.kill('SIGKILL');
  }
}
