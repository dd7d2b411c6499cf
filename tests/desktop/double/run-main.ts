import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { BrowserContext } from '@playwright/test';
import { type Double, createDouble } from './electron.ts';
import { strict } from './strict.ts';
import type { StartedApp, Surroundings } from './world.ts';

/** What Electron says of itself, and of an app that has no `package.json`. */
const ELECTRON_VERSION = '45.4.1';

/** A key of every Windows. */
const ALWAYS_THERE = String.raw`HKLM\Software\Policies`;

/** What Electron knows of what it is started with: a folder with a `package.json`, or a file. */
export function readStarted(path: string): StartedApp & { main: string } {
  const file = join(path, 'package.json');
  if (!existsSync(file)) {
    return { path: dirname(path), name: 'Electron', version: ELECTRON_VERSION, main: path };
  }
  const { name, productName, version, main } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return {
    path,
    name: productName ?? name ?? 'Electron',
    version: version ?? ELECTRON_VERSION,
    main: join(path, main ?? 'index.js'),
  };
}

/** Runs the built main process with the double for Electron, and a process that says it is Electron's. */
export function runMain(path: string, surroundings: Surroundings, context: BrowserContext): Double {
  const { main: bundle, ...started } = readStarted(path);
  const double = createDouble(surroundings, started, context);
  const ownRequire = createRequire(bundle);
  const fakeProcess = new Proxy(process, {
    get(target, member) {
      if (member === 'platform') return surroundings.platform;
      if (member === 'argv') return ['alertdesk', ...surroundings.argv];
      if (member === 'versions') return { ...target.versions, electron: ELECTRON_VERSION };
      if (member === 'env') return { ...target.env, LOCALAPPDATA: surroundings.localAppData };
      if (member === 'resourcesPath') return surroundings.resourcesPath;
      if (member === 'type') return 'browser';
      if (member === 'stdout' || member === 'stderr')
        return { write: (text: string) => double.world.output.push(text) };
      if (member === 'exit') return (code: number) => double.world.app.exit(code);
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  /** Windows' `reg query KEY`, which ends with 1 for a key that there is not. */
  const askRegistry = (program: string, [verb, key = '']: readonly string[]): string => {
    const text = key === ALWAYS_THERE ? '' : surroundings.registry[key];
    if (!program.endsWith('reg.exe') || verb !== 'query') throw new Error(`The double does not run ${program}.`);
    if (text === undefined)
      throw Object.assign(new Error('ERROR: The system was unable to find the specified registry key or value.'), {
        status: 1,
      });
    return text;
  };
  const requireInMain = (name: string): unknown => {
    if (name === 'electron') return double.electron;
    if (name === 'process' || name === 'node:process') return fakeProcess;
    if (name === 'node:child_process') return { ...(ownRequire(name) as object), execFileSync: askRegistry };
    return ownRequire(name);
  };
  const module = { exports: {} };
  const run = compileFunction(
    readFileSync(bundle, 'utf8'),
    ['require', 'module', 'exports', '__dirname', '__filename', 'process'],
    { filename: bundle },
  ) as (...values: unknown[]) => void;
  run(
    strict('require', Object.assign(requireInMain, {})),
    module,
    module.exports,
    dirname(bundle),
    bundle,
    fakeProcess,
  );
  return double;
}
