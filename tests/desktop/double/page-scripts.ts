import { decode, encode } from './codec.ts';

/** The world in which preload scripts run, apart from the page's own scripts, as with contextIsolation. */
export const PRELOAD_WORLD = 'electron-preload';

/** How that world calls out. */
export const BINDING = 'doubleOfElectron';

/** What the world sends to the main process. */
export type PageMessage =
  | { type: 'invoke'; id: number; channel: string; args: string }
  | { type: 'send'; channel: string; args: string }
  | { type: 'open'; url: string };

/**
 * One end of what lies between the two worlds of a page: functions of the other world can be called, everything else is
 * copied. The worlds share nothing but the document, so they talk by its events, which are delivered at once.
 */
const MEMBRANE = `
const encode = ${encode.toString()};
const decode = ${decode.toString()};
function membrane(me, other) {
  const own = [];
  const returned = new Map();
  const promises = new Map();
  let calls = 0;
  const emit = (message) => document.dispatchEvent(new CustomEvent('double:' + other, { detail: JSON.stringify(message) }));
  const idOf = (value) => own.includes(value) ? own.indexOf(value) : own.push(value) - 1;
  const pack = (value) => encode(value, idOf);
  const unpack = (text) => decode(text, (id) => (...args) => {
    const call = me + (calls += 1);
    emit({ type: 'call', call, id, args: pack(args) });
    const outcome = returned.get(call);
    returned.delete(call);
    if (outcome.promise) return new Promise((resolve, reject) => promises.set(outcome.promise, { resolve, reject }));
    if (outcome.error) throw unpack(outcome.error);
    return unpack(outcome.value);
  });
  document.addEventListener('double:' + me, (event) => {
    const message = JSON.parse(event.detail);
    if (message.type === 'call') {
      let outcome;
      try {
        const value = own[message.id](...unpack(message.args));
        if (value && typeof value.then === 'function') {
          outcome = { promise: message.call };
          value.then(
            (settled) => emit({ type: 'settle', promise: message.call, value: pack(settled) }),
            (error) => emit({ type: 'settle', promise: message.call, error: pack(error) }),
          );
        } else outcome = { value: pack(value) };
      } catch (error) { outcome = { error: pack(error) }; }
      emit({ type: 'return', call: message.call, outcome });
    } else if (message.type === 'return') returned.set(message.call, message.outcome);
    else if (message.type === 'settle') {
      const promise = promises.get(message.promise);
      promises.delete(message.promise);
      if (message.error) promise.reject(unpack(message.error));
      else promise.resolve(unpack(message.value));
    } else if (message.type === 'expose') {
      Object.defineProperty(window, message.key, { value: Object.freeze(unpack(message.api)), enumerable: true });
    } else if (message.type === 'open') globalThis.${BINDING}(JSON.stringify({ type: 'open', url: message.url }));
  });
  return { emit, pack };
}
`;

/** What runs in the page's own world before its scripts. */
export const pageScript = `
(() => {
  if (window.top !== window) return;
  ${MEMBRANE}
  const { emit } = membrane('page', 'preload');
  const open = (url) => emit({ type: 'open', url: new URL(url, location.href).href });
  window.open = (url) => { open(url ?? 'about:blank'); return null; };
  window.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[target=_blank][href]') : null;
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    open(link.href);
  });
})();
`;

/** What runs in the preload world: the built preload script, with Electron's side of it. */
export const preloadScript = (script: string): string => `
(() => {
  if (window.top !== window) return;
  ${MEMBRANE}
  const { emit, pack } = membrane('preload', 'page');
  const send = (message) => globalThis.${BINDING}(JSON.stringify(message));
  const answers = new Map();
  const listeners = new Map();
  let calls = 0;
  globalThis.doubleAnswers = (id, isError, text) => {
    const { resolve, reject } = answers.get(id);
    answers.delete(id);
    if (isError) reject(decode(text));
    else resolve(decode(text));
  };
  globalThis.doubleEvents = (channel, text) => {
    for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...decode(text));
  };
  const refuseUnknown = (name, object) => new Proxy(object, {
    get(target, member) {
      if (member in target) return target[member];
      throw new Error('The double of Electron has no ' + name + '.' + String(member) + '.');
    },
  });
  const ipcRenderer = refuseUnknown('ipcRenderer', {
    invoke: (channel, ...args) => new Promise((resolve, reject) => {
      const id = (calls += 1);
      const message = { type: 'invoke', id, channel, args: encode(structuredClone(args)) };
      answers.set(id, { resolve, reject });
      send(message);
    }),
    send: (channel, ...args) => send({ type: 'send', channel, args: encode(structuredClone(args)) }),
    on: (channel, listener) => { listeners.set(channel, [...(listeners.get(channel) ?? []), listener]); },
    off: (channel, listener) => { listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener)); },
  });
  const contextBridge = refuseUnknown('contextBridge', {
    exposeInMainWorld: (key, api) => emit({ type: 'expose', key, api: pack(api) }),
  });
  const electron = refuseUnknown('electron', { ipcRenderer, contextBridge });
  const requireInSandbox = (name) => {
    if (name === 'electron') return electron;
    throw new Error('module not found: ' + name);
  };
  const module = { exports: {} };
  (function (require, module, exports) {
${script}
  })(requireInSandbox, module, module.exports);
})();
`;
