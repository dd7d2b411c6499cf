import { EventEmitter } from 'node:events';

/** What Electron documents that `powerMonitor` emits; for another name a listener would wait for ever. */
const EVENTS: ReadonlySet<string | symbol> = new Set([
  'suspend',
  'resume',
  'on-ac',
  'on-battery',
  'thermal-state-change',
  'speed-limit-change',
  'shutdown',
  'lock-screen',
  'unlock-screen',
  'user-did-become-active',
  'user-did-resign-active',
]);

/** Electron's `powerMonitor`: the events that it has, and no other. */
export class DoublePowerMonitor extends EventEmitter {
  override on(name: string | symbol, listener: (...args: unknown[]) => void): this {
    if (!EVENTS.has(name)) throw new Error(`Electron's powerMonitor emits no ${String(name)}.`);
    return super.on(name, listener);
  }

  override addListener(name: string | symbol, listener: (...args: unknown[]) => void): this {
    return this.on(name, listener);
  }

  override once(name: string | symbol, listener: (...args: unknown[]) => void): this {
    if (!EVENTS.has(name)) throw new Error(`Electron's powerMonitor emits no ${String(name)}.`);
    return super.once(name, listener);
  }
}
