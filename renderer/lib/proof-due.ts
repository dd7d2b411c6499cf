import * as texts from './texts.ts';

/** The person was asked who they are and did not say: what was asked for was not done. */
export class ProofCancelled extends Error {
  constructor() {
    super(texts.notConfirmed);
    this.name = 'ProofCancelled';
  }
}

/** Asks the person to prove who they are. Rejects with {@link ProofCancelled} when they do not. */
type Ask = () => Promise<void>;

/** What asks is loaded after the first screen: a call that needs it sooner waits for it so long, in milliseconds. */
const WAIT_MS = 10_000;

let ask: Ask | undefined;
let asking: Promise<void> | undefined;
const waiting = new Set<() => void>();

/** Says how a person is asked while somebody is signed in. Returns what ends that. */
export function onProofDue(asker: Ask): () => void {
  ask = asker;
  for (const goOn of waiting) goOn();
  return () => {
    if (ask === asker) ask = undefined;
  };
}

/** Ends when a screen can ask, or has not come to that in time. */
async function waitForAsker(): Promise<void> {
  if (ask) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, WAIT_MS);
  waiting.add(resolve);
  await promise;
  clearTimeout(timer);
  waiting.delete(resolve);
}

/**
 * Has the person prove who they are, once for all calls that wait for it. False where no screen can ask.
 *
 * @throws {ProofCancelled} when they do not
 */
export async function askForProof(): Promise<boolean> {
  await waitForAsker();
  if (!ask) return false;
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  await asking;
  return true;
}
