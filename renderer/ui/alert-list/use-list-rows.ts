import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { departuresAtom } from '#renderer/lib/alerts/departures.ts';
import { pendingDeletionsAtom } from '#renderer/lib/alerts/pending-deletions.ts';
import { isActingOn } from '#renderer/lib/alerts/use-alert-actions.ts';
import { useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { type LeavingRows, leavingAfter, withLeavingRows, withoutLeavingRow } from './leaving-rows.ts';
import { type ListHold, OWN_REST_MS, REST_MS, createListHold } from './list-hold.ts';

/** How long a card shows who accepted it, and how long it takes to leave, in milliseconds. */
const TOLD_MS = 1200;
const LEAVE_MS = 180;
const GAP_MS = 120;

/** The rows of a list as they are drawn. */
export interface ListRows {
  rows: readonly Alert[];
  /** Rows among them that are on their way out. */
  leaving: LeavingRows;
  /** Those of them that already fade, or have faded and only keep their place. */
  moving: ReadonlySet<string>;
  /** A row has just gone: the others close the gap. */
  isClosingGap: boolean;
  /** Keeps the rows in their places while somebody uses the list. */
  hold: ListHold;
}

/**
 * Keeps the cards of alerts that left the list on screen for as long as leaving takes, and while somebody uses the list:
 * no row moves under a pointer that moves, or under a key.
 */
export function useListRows(alerts: readonly Alert[]): ListRows {
  const client = useQueryClient();
  const departures = useAtomValue(departuresAtom);
  const deletions = useAtomValue(pendingDeletionsAtom);
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [hold] = useState(createListHold);
  const [state, setState] = useState<{ alerts: readonly Alert[]; leaving: LeavingRows }>({
    alerts,
    leaving: new Map(),
  });
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set());
  const [isClosingGap, setClosingGap] = useState(false);

  if (state.alerts !== alerts) {
    const context = {
      acceptedBy: departures,
      isOwn: (id: string) => deletions.has(id) || isActingOn(client, id),
      isHeld: hold.remaining() > 0,
    };
    setState({ alerts, leaving: leavingAfter(state, alerts, context) });
  }

  const steps = useRef(new Map<string, Step>());
  useEffect(() => {
    const { leaving } = state;
    const stay = (id: string): void =>
      setMoving((ids) => (ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : ids));
    const remove = (id: string): void => {
      stay(id);
      setState((now) => ({ ...now, leaving: withoutLeavingRow(now.leaving, id) }));
      if (!isStill) setClosingGap(true);
    };
    for (const [id, { acceptedBy, isOwn }] of leaving) {
      if (steps.current.has(id)) continue;
      // What the person did themselves fades at once; its gap waits like any other.
      const restMs = isOwn ? OWN_REST_MS : REST_MS;
      const told: Step = { dueIn: acceptedBy === undefined ? 0 : TOLD_MS, restMs: isOwn ? 0 : restMs };
      const gone: Step = { dueIn: isStill ? 0 : LEAVE_MS, restMs };
      steps.current.set(id, told);
      takeStep(hold, told, () => {
        setMoving((ids) => new Set([...ids, id]));
        steps.current.set(id, gone);
        takeStep(hold, gone, () => remove(id));
      });
    }
    for (const [id, step] of steps.current) {
      if (leaving.has(id)) continue;
      // It has gone, or has come back.
      step.stop?.();
      steps.current.delete(id);
      stay(id);
    }
  }, [state, isStill, hold]);
  useEffect(() => {
    const pending = steps.current;
    return () => {
      for (const { stop } of pending.values()) stop?.();
      pending.clear();
    };
  }, []);
  useEffect(() => {
    if (!isClosingGap) return undefined;
    const timer = setTimeout(() => setClosingGap(false), GAP_MS);
    return () => clearTimeout(timer);
  }, [isClosingGap]);

  const rows = useMemo(() => withLeavingRows(state.alerts, state.leaving), [state]);
  return { rows, leaving: state.leaving, moving, isClosingGap, hold };
}

/** One step of a row's leaving: in so many milliseconds at the earliest, and once the list has rested for `restMs`. */
interface Step {
  dueIn: number;
  restMs: number;
  stop?: () => void;
}

function takeStep(hold: ListHold, step: Step, run: () => void): void {
  const dueAt = performance.now() + step.dueIn;
  let timer: ReturnType<typeof setTimeout>;
  const look = (): void => {
    clearTimeout(timer);
    const waitMs = Math.max(dueAt - performance.now(), step.restMs === 0 ? 0 : hold.remaining(step.restMs));
    if (waitMs > 0) {
      timer = setTimeout(look, waitMs);
      return;
    }
    step.stop?.();
    run();
  };
  const forget = hold.onRelease(look);
  step.stop = () => {
    clearTimeout(timer);
    forget();
  };
  look();
}
