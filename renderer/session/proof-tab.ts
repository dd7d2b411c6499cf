/**
 * A proof at a provider is given in a tab of its own, so that the page which asks for it keeps what was typed. The tab
 * reports it by a channel: providers' pages and ours have no window in common (Cross-Origin-Opener-Policy).
 */
const CHANNEL = 'alertdesk.proof';

/** Longest wait for a page that receives the proof, in milliseconds. */
const RECEIVED_MS = 1_000;

/** A tab for a provider's page; null where the browser opens none. To be called in the event of a click. */
export function openProofTab(): Window | null {
  // What an installed app on iOS opens has cookies and channels of its own.
  if ('standalone' in navigator && navigator.standalone === true) return null;
  const tab = window.open('', '_blank');
  // The provider's page is not to navigate this one.
  if (tab) tab.opener = null;
  return tab;
}

/** Calls back when a proof was given in another tab of this browser. Returns what ends that. */
export function onProofElsewhere(callback: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const report = channel.postMessage.bind(channel);
  channel.addEventListener('message', ({ data }) => {
    if (data !== 'proved') return;
    report('received');
    callback();
  });
  return () => channel.close();
}

/** Reports a proof to the other tabs. @returns whether a page waits for it there */
export async function reportProof(): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  const report = channel.postMessage.bind(channel);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), RECEIVED_MS);
  channel.addEventListener('message', ({ data }) => data === 'received' && resolve(true));
  report('proved');
  const isReceived = await promise;
  clearTimeout(timer);
  channel.close();
  return isReceived;
}
