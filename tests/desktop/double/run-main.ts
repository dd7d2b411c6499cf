import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import type { BrowserContext } from '@playwright/test';
import { type Double, createDouble } from './electron.ts';
import { strict } from './strict.ts';
import type { Surroundings } from './world.ts';

/** Runs the built bundle of the main process with the double for Electron, and a process that says it is Electron's. */
export function runMain(bundle: string, surroundings: Surroundings, context: BrowserContext): Double {
  const double = createDouble(surroundings, context);
  const ownRequire = createRequire(bundle);
  const fakeProcess = new Proxy(process, {
    get(target, member) {
      if (member === 'platform') return surroundings.platform;
      if (member === 'argv') return ['alertdesk', ...surroundings.argv];
      if (member === 'versions') return { ...target.versions, electron: '45.4.1' };
      if (member === 'resourcesPath') return surroundings.resourcesPath;
      if (member === 'type') return 'browser';
      if (member === 'stdout' || member === 'stderr')
        return { write: (text: string) => double.world.output.push(text) };
      if (member === 'exit') return (code: number) => double.world.app.exit(code);
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const requireInMain = (name: string): unknown => {
    if (name === 'electron') return double.electron;
    if (name === 'process' || name === 'node:process') return fakeProcess;
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
