import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { departuresAtom } from '#renderer/lib/alerts/departures.ts';
import { useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { type LeavingRow, rowsLeaving, withLeavingRows } from './leaving-rows.ts';

/** How long a card says who accepted it, and how long it takes to leave, in milliseconds (tokens.md). */
const TOLD_MS = 1200;
const LEAVE_MS = 180;
const GAP_MS = 120;

/** The rows of a list as they are drawn. */
export interface ListRows {
  rows: readonly Alert[];
  /** Rows among them that are on their way out. */
  leaving: ReadonlyMap<string, LeavingRow>;
  /** Those of them that already move. */
  moving: ReadonlySet<string>;
  /** A row has just gone: the others close the gap. */
  isClosingGap: boolean;
}

/** Keeps the cards of alerts that left the list on screen for as long as leaving takes. */
export function useListRows(alerts: readonly Alert[]): ListRows {
  const departures = useAtomValue(departuresAtom);
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [state, setState] = useState({ alerts, leaving: new Map<string, LeavingRow>() });
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set());
  const [isClosingGap, setClosingGap] = useState(false);

  if (state.alerts !== alerts) {
    const leaving = new Map(state.leaving);
    for (const row of rowsLeaving(state.alerts, alerts, departures)) leaving.set(row.alert.id, row);
    for (const { id } of alerts) leaving.delete(id);
    setState({ alerts, leaving });
  }

  const later = useTimers();
  const started = useRef(new Set<string>());
  useEffect(() => {
    for (const [id, { acceptedBy }] of state.leaving) {
      if (started.current.has(id)) continue;
      started.current.add(id);
      const told = acceptedBy === undefined ? 0 : TOLD_MS;
      const leave = isStill ? 0 : LEAVE_MS;
      later(told, () => setMoving((ids) => new Set([...ids, id])));
      later(told + leave, () => {
        started.current.delete(id);
        setMoving((ids) => new Set([...ids].filter((other) => other !== id)));
        setState((now) => ({ ...now, leaving: new Map([...now.leaving].filter(([other]) => other !== id)) }));
        if (isStill) return;
        setClosingGap(true);
        later(GAP_MS, () => setClosingGap(false));
      });
    }
  }, [state.leaving, isStill, later]);

  const rows = useMemo(() => withLeavingRows(state.alerts, state.leaving), [state]);
  return { rows, leaving: state.leaving, moving, isClosingGap };
}

/** `setTimeout` that is forgotten with the component. */
function useTimers(): (delayMs: number, run: () => void) => void {
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const pending = timers.current;
    return () => {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    };
  }, []);
  return useCallback((delayMs, run) => {
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      run();
    }, delayMs);
    timers.current.add(timer);
  }, []);
}
