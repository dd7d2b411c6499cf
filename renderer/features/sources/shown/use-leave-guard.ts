import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { keepHistoryGate } from '#renderer/lib/history-gate.ts';

/** Holds the page while leaving it would lose something. */
export interface LeaveGuard {
  /** Somebody is about to leave. */
  isAsked: boolean;
  /** Goes where it was to go. */
  leave: () => void;
  stay: () => void;
  /** Leaves by a button or key: asks first while the guard is up. */
  request: (to: string) => void;
}

/** Position in the history that the router notes with each entry. */
const indexOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : 0;

/** Asks before links, Back and Forward leave the page, and lets the browser ask before its tab closes. */
export function useLeaveGuard(isUp: boolean): LeaveGuard {
  const navigate = useNavigate();
  const [pending, setPending] = useState<{ go: () => void }>();
  const passes = useRef(false);

  useEffect(() => {
    if (!isUp) return undefined;
    passes.current = false;
    const here = indexOf(window.history.state);
    let isReturning = false;
    const over = new AbortController();
    const options = { capture: true, signal: over.signal };

    window.addEventListener('beforeunload', (event) => event.preventDefault(), options);
    document.addEventListener(
      'click',
      (event) => {
        const { button, ctrlKey, metaKey, shiftKey, altKey, target } = event;
        if (passes.current || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
        const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
        if (!link || link.target !== '' || link.origin !== window.location.origin) return;
        if (link.pathname === window.location.pathname) return;
        event.preventDefault();
        event.stopPropagation();
        const to = `${link.pathname}${link.search}${link.hash}`;
        setPending({ go: () => void navigate(to) });
      },
      options,
    );
    // The address has changed by now: it is set back, and the router learns of neither.
    const release = keepHistoryGate(({ state }) => {
      if (passes.current) return false;
      if (isReturning) {
        isReturning = false;
        return true;
      }
      const steps = indexOf(state) - here;
      isReturning = true;
      window.history.go(-steps || 1);
      setPending({ go: () => window.history.go(steps || -1) });
      return true;
    });
    return () => {
      over.abort();
      release();
    };
  }, [isUp, navigate]);

  const leave = useCallback(() => {
    passes.current = true;
    setPending(undefined);
    pending?.go();
  }, [pending]);
  const stay = useCallback(() => setPending(undefined), []);
  const request = useCallback(
    (to: string): void => {
      if (isUp && !passes.current) setPending({ go: () => void navigate(to) });
      else void navigate(to);
    },
    [isUp, navigate],
  );
  return { isAsked: pending !== undefined, leave, stay, request };
}
