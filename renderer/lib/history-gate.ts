/** Takes a step through the history, before anything else learns of it. True keeps it from everything else. */
type Gatekeeper = (event: PopStateEvent) => boolean;

let gatekeeper: Gatekeeper | undefined;

/**
 * Lets a page hold steps through the history. Listeners of the window are called in the order in which they were added, so
 * this one has to come before the router's.
 */
export function openHistoryGate(window: Window): void {
  window.addEventListener('popstate', (event) => {
    if (gatekeeper?.(event)) event.stopImmediatePropagation();
  });
}

/** Asks `keeper` of every step until the returned function is called. */
export function keepHistoryGate(keeper: Gatekeeper): () => void {
  gatekeeper = keeper;
  return () => {
    if (gatekeeper === keeper) gatekeeper = undefined;
  };
}
