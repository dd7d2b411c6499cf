import {
  type Location,
  NavigationType,
  type Navigator,
  UNSAFE_createBrowserHistory,
  parsePath,
} from 'react-router-dom';

/** Decides about changes of the address. */
export interface HistoryGuard {
  /** Whether the page stays where it is until somebody has answered. */
  isGuarded: (from: Location, to: Location) => boolean;
  /** Asks. The address is that of the page; `leave` goes where it was to go. */
  ask: (leave: () => void) => void;
}

type BrowserHistory = ReturnType<typeof UNSAFE_createBrowserHistory>;
type Listener = Parameters<BrowserHistory['listen']>[0];

export interface GuardedHistory extends Omit<BrowserHistory, 'push' | 'replace'> {
  /** Puts a guard before every change of the address, until the returned function is called. */
  guard: (guard: HistoryGuard) => () => void;
  /** Whether the change that listeners are about to show was asked for with `flushSync`. */
  isNow: () => boolean;
  push: Change;
  replace: Change;
}

type Change = (...change: Parameters<Navigator['push']>) => void;

const NO_GUARD: HistoryGuard = { isGuarded: () => false, ask: (leave) => leave() };

/** Where the browser is among the entries that the router made; NaN at another one, such as that of a typed `#`. */
const readIndex = (): number => (window.history.state as { idx?: number } | null)?.idx ?? Number.NaN;

/**
 * The browser's history with a guard. Back and Forward have happened before anybody can be asked: they are taken back
 * first, and done again for who leaves.
 */
export function createGuardedHistory(): GuardedHistory {
  const history = UNSAFE_createBrowserHistory({ v5Compat: true });
  const { listen, push, replace } = history;
  let guard = NO_GUARD;
  /** What the page shows. */
  let shown = { location: history.location, index: readIndex() };
  /** The browser's step back to that, and what waits for it. Until then an entry that is written would be a wrong one. */
  let wayBack: { step: number; waiting: (() => void)[] } | undefined;
  let isLeaving = false;

  let isNow = false;

  const whenBack = (run: () => void): void => void (wayBack ? wayBack.waiting.push(run) : run());

  const guarded =
    (change: BrowserHistory['push']): Change =>
    (to, state, options) => {
      const path = typeof to === 'string' ? parsePath(to) : to;
      const next = { pathname: '', search: '', hash: '', key: '', ...path, state };
      const go = (): void => {
        isNow = options?.flushSync === true;
        try {
          change(to, state);
        } finally {
          isNow = false;
        }
      };
      whenBack(() => (guard.isGuarded(shown.location, next) ? guard.ask(go) : go()));
    };

  const goBack = (away: number, waiting: (() => void)[]): void => {
    wayBack = { step: -away, waiting };
    history.go(-away);
  };

  /** Whether Back or Forward is held, or ends the way back from there. */
  const isTakenBack = ({ location, delta }: Parameters<Listener>[0]): boolean => {
    const away = readIndex() - shown.index;
    if (isLeaving || Number.isNaN(away)) return false;
    if (wayBack) {
      const { step, waiting } = wayBack;
      if (away === 0) {
        wayBack = undefined;
        for (const run of waiting) run();
      } else if (delta === step) goBack(away, waiting);
      // Else it was pressed twice, and the step back is still to come.
      return true;
    }
    if (away === 0 || !guard.isGuarded(shown.location, location)) return false;
    const leave = (): void => {
      isLeaving = true;
      history.go(away);
    };
    goBack(away, [() => guard.ask(leave)]);
    return true;
  };

  return Object.assign(history, {
    isNow: () => isNow,
    push: guarded(push),
    replace: guarded(replace),
    listen: (show: Listener) =>
      listen((update) => {
        if (update.action === NavigationType.Pop && isTakenBack(update)) return;
        isLeaving = false;
        wayBack = undefined;
        shown = { location: update.location, index: readIndex() };
        show(update);
      }),
    guard: (by: HistoryGuard) => {
      guard = by;
      return () => {
        guard = NO_GUARD;
      };
    },
  });
}
