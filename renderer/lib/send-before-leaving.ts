/** A call that waits to be sent; see {@link sendBeforeLeaving}. */
export interface WaitingCall {
  /** Sends it now, unless it was sent or called off. */
  send: () => void;
  /** Calls it off. False when it is too late. */
  cancel: () => boolean;
}

/**
 * Holds a call back so that it can be undone, but sends it (`keepalive`) when the page is hidden or left before
 * anything else decides on it (ux.md, "Hands").
 */
export function sendBeforeLeaving(send: (keepalive: boolean) => void): WaitingCall {
  let isOpen = true;
  const close = (): boolean => {
    const wasOpen = isOpen;
    isOpen = false;
    document.removeEventListener('visibilitychange', sendWhenHidden);
    window.removeEventListener('pagehide', sendNow);
    return wasOpen;
  };
  const sendNow = (): void => void (close() && send(true));
  const sendWhenHidden = (): void => void (document.visibilityState === 'hidden' && sendNow());
  document.addEventListener('visibilitychange', sendWhenHidden);
  window.addEventListener('pagehide', sendNow);
  return { send: () => void (close() && send(false)), cancel: close };
}
