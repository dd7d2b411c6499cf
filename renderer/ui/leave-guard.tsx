import {
  type ReactNode,
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Location } from 'react-router-dom';
import type { GuardedHistory } from '#renderer/lib/guarded-history.ts';

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
  isKept: boolean;
  /** Keeps the page until the returned function is called. The same function on every render. */
  keep: () => () => void;
}

const LeaveGatesContext = createContext<LeaveGates | undefined>(undefined);

interface LeaveGuardsProps {
  /** What the router follows. */
  history: GuardedHistory;
  /** Whether the screen of the first location is gone at the second. */
  isLeft: (from: Location, to: Location) => boolean;
  children: ReactNode;
}

/** Holds every change of the address that leaves a screen on which a guard is up; the last one that came up asks. */
export function LeaveGuards({ history, isLeft, children }: LeaveGuardsProps) {
  const [guards] = useState(() => new Set<symbol>());
  const [asked, setAsked] = useState<symbol>();
  const [keepers, setKeepers] = useState(0);
  const isKept = keepers > 0;
  const keep = useCallback(() => {
    setKeepers((count) => count + 1);
    return () => setKeepers((count) => count - 1);
  }, []);
  // A second click on "Leave" comes before the question is gone, and must not go further.
  const goOn = useRef<() => void>(undefined);
  useEffect(
    () =>
      history.guard({
        isGuarded: (from, to) => guards.size > 0 && isLeft(from, to),
        ask: (leave) => {
          const last = [...guards].at(-1);
          if (!last) return leave();
          goOn.current = leave;
          setAsked(last);
        },
      }),
    [history, guards, isLeft],
  );
  const gates = useMemo(() => {
    const answer = (): (() => void) | undefined => {
      const leave = goOn.current;
      goOn.current = undefined;
      setAsked(undefined);
      return leave;
    };
    return { guards, asked, leave: () => answer()?.(), stay: () => void answer(), isKept, keep };
  }, [guards, asked, isKept, keep]);
  return <LeaveGatesContext value={gates}>{children}</LeaveGatesContext>;
}

function useGates(): LeaveGates {
  const gates = use(LeaveGatesContext);
  if (!gates) throw new Error('There are no leave guards here.');
  return gates;
}

/** Keeps the page as it is while something on it is open that a page drawn from the beginning would not have. */
export function useKeepPage(isOpen: boolean): void {
  const { keep } = useGates();
  useLayoutEffect(() => (isOpen ? keep() : undefined), [isOpen, keep]);
}

/** Whether something on the page would be lost if it was drawn from the beginning. */
export const useIsPageKept = (): boolean => useGates().isKept;

/**
 * Asks before the screen is left: by links, keys, notifications, Back and Forward through `isAsked`, and by the browser or
 * the desktop app before the page is reloaded or closed.
 *
 * @param isUp whether leaving would lose something
 */
export function useLeaveGuard(isUp: boolean): LeaveGuard {
  const { guards, asked, leave, stay } = useGates();
  const [id] = useState(() => Symbol('leave guard'));

  useKeepPage(isUp);
  // Up before anybody can see, and click, what would be lost.
  useLayoutEffect(() => {
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
