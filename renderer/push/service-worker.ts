import { WORKER_SCOPE, WORKER_URL, type WorkerMessage, isLiveQuestion, isWorkerMessage } from './worker-messages.ts';

/** The browser's service workers; undefined where there are none: old browsers, and pages that came over plain http. */
const container = (): ServiceWorkerContainer | undefined =>
  'serviceWorker' in navigator ? navigator.serviceWorker : undefined;

/** The parts of Trusted Types that are used here; TypeScript's own library does not know them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

let trustedUrl: string | undefined;

/** The worker's address as a page may load scripts from that is held to Trusted Types: this one and no other. */
function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // A policy is made once.
  trustedUrl ??=
    trustedTypes?.createPolicy('alertdesk-worker', { createScriptURL: () => WORKER_URL }).createScriptURL(WORKER_URL) ??
    WORKER_URL;
  return trustedUrl;
}

/**
 * Registers the service worker, or finds it registered. Its script is asked for past the browser's
 * cache. Throws what the browser says when it cannot be.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  const workers = container();
  if (!workers) throw new Error('There are no service workers here.');
  return workers.register(trustedWorkerUrl(), { scope: WORKER_SCOPE, updateViaCache: 'none' });
}

/** The worker's registration, once it can show notifications; undefined when there is none. Never waits for one. */
export async function activeWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await container()?.getRegistration(WORKER_SCOPE);
  return registration?.active ? registration : undefined;
}

/** Has the browser look for a newer worker; pages may stay open for days. */
export const updateWorker = async (): Promise<void> => {
  // Refused while the server is away; there will be another time.
  await (await activeWorker())?.update().catch(() => undefined);
};

/** Subscribes to the worker's messages, until the returned function is called. */
export const listenToWorker = (listener: (message: WorkerMessage) => void): (() => void) =>
  receiveFromWorker(({ data }) => void (isWorkerMessage(data) && listener(data)));

/**
 * Answers the worker whether this window announces what comes: it then leaves pushes to it while it is in
 * front. Until the returned function is called.
 */
export const answerWorker = (isLive: () => boolean): (() => void) =>
  receiveFromWorker(({ data, ports: [port] }) => void (isLiveQuestion(data) && port?.postMessage(isLive())));

function receiveFromWorker(receive: (event: MessageEvent<unknown>) => void): () => void {
  const workers = container();
  workers?.addEventListener('message', receive);
  // Without it, messages that arrived before the listener would never be delivered.
  workers?.startMessages();
  return () => workers?.removeEventListener('message', receive);
}
