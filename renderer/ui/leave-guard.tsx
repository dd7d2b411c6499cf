import { type ReactNode, createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import { type BlockerFunction, type Location, useBlocker } from 'react-router-dom';

/** Holds the page while leaving it would lose something. */
export interface LeaveGuard {
  /** Somebody is about to leave, and this guard is the one that asks. */
  isAsked: boolean;
  /** Goes where it was to go. */
  leave: () => void;
  stay: () => void;
}

interface LeaveGates {
  /** The guards that are up, in the order in which they came up. */
  guards: Set<symbol>;
  /** The guard that asks; undefined while nobody is about to leave. */
  asked: symbol | undefined;
  leave: () => void;
  stay: () => void;
}

const LeaveGatesContext = createContext<LeaveGates | undefined>(undefined);

interface LeaveGuardsProps {
  /** Whether the screen of the first location is gone at the second. */
  isLeft: (from: Location, to: Location) => boolean;
  children: ReactNode;
}

/** Holds every navigation of the router that leaves a screen on which a guard is up. The router can have one blocker only. */
export function LeaveGuards({ isLeft, children }: LeaveGuardsProps) {
  const [guards] = useState(() => new Set<symbol>());
  // The router's own state follows in a transition, after which a second answer would be an error.
  const [last, setLast] = useState<symbol>();
  const holds = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) => {
      if (guards.size === 0 || !isLeft(currentLocation, nextLocation)) return false;
      setLast([...guards].at(-1));
      return true;
    },
    [guards, isLeft],
  );
  const { state, proceed, reset } = useBlocker(holds);
  const gates = useMemo(
    () => ({
      guards,
      asked: state === 'blocked' ? last : undefined,
      leave: () => {
        setLast(undefined);
        proceed?.();
      },
      stay: () => {
        setLast(undefined);
        reset?.();
      },
    }),
    [guards, last, state, proceed, reset],
  );
  return <LeaveGatesContext value={gates}>{children}</LeaveGatesContext>;
}

/**
 * Asks before the screen is left: by links, keys, notifications, Back and Forward through `isAsked`, and by the browser or
 * the desktop app before the page is reloaded or closed.
 *
 * @param isUp whether leaving would lose something
 */
export function useLeaveGuard(isUp: boolean): LeaveGuard {
  const gates = use(LeaveGatesContext);
  if (!gates) throw new Error('There are no leave guards around this part of the page.');
  const { guards, asked, leave, stay } = gates;
  const [id] = useState(() => Symbol('leave guard'));

  useEffect(() => {
    if (!isUp) return undefined;
    const over = new AbortController();
    guards.add(id);
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal: over.signal });
    return () => {
      guards.delete(id);
      over.abort();
    };
  }, [isUp, guards, id]);
  return { isAsked: asked === id, leave, stay };
}
