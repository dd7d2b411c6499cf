import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { bulkRunsAtom, departuresAtom } from '#renderer/alerts/data/list-state.ts';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { useMediaQuery } from '#renderer/lib/use-media-query.ts';
import type { ListFold } from './list-fold.ts';
import { type ListHold, OWN_REST_MS, REST_MS } from './list-hold.ts';

/** How long a card shows who accepted it, and how long it takes to leave, in milliseconds. */
const NOTICE_MS = 1200;
const LEAVE_MS = 180;
const GAP_MS = 120;

const asItIs = <T>(one: T): T => one;

/** The rows of a list as they are drawn. */
export interface ListRows {
  rows: readonly Alert[];
  /** Rows among them that are on their way out. */
  leaving: LeavingRows;
  /** Those of them that already fade, or have faded and only keep their place. */
  moving: ReadonlySet<string>;
  /** A row has just gone: the others close the gap. */
  isClosingGap: boolean;
}

/**
 * Keeps the cards of alerts that left the list on screen for as long as leaving takes, and while somebody uses the list:
 * no row moves under a pointer that moves, under a mouse at rest, or under a key.
 *
 * @param drawnAs what a row is known by to `hold`
 * @param fold how alerts of one group are one row
 */
export function useListRows(
  alerts: readonly Alert[],
  hold: ListHold,
  drawnAs: (id: string) => string = asItIs,
  fold?: ListFold,
): ListRows {
  const store = alertStoreOf(useQueryClient());
  const departures = useAtomValue(departuresAtom);
  const runs = useAtomValue(bulkRunsAtom);
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [state, setState] = useState<{ alerts: readonly Alert[]; leaving: LeavingRows }>({
    alerts,
    leaving: new Map(),
  });
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set());
  const [isClosingGap, setClosingGap] = useState(false);

  if (state.alerts !== alerts) {
    const look = fold?.look ?? asItIs;
    const context = {
      acceptedBy: look((id: string) => departures.get(id)),
      isOwn: look((id: string) => runs.some(({ ids }) => ids.has(id)) || store.isChanging(id)),
      isFrozen: hold.remaining() > 0,
      isDrawn: (id: string) => hold.isDrawn(drawnAs(id)) && !fold?.stands(id, alerts),
    };
    setState({ alerts, leaving: leavingAfter(state, alerts, context) });
  }

  const steps = useRef(new Map<string, Step>());
  useEffect(() => {
    const { leaving } = state;
    const stay = (ids: ReadonlySet<string>): void =>
      setMoving((now) => ([...ids].some((id) => now.has(id)) ? new Set([...now].filter((id) => !ids.has(id))) : now));
    const begin = (step: Step, isOwn: boolean, run: () => void): void => {
      for (const id of step.ids) steps.current.set(id, step);
      takeStep(hold, step, () => !isOwn && hold.isUnderMouse(new Set([...step.ids].map(drawnAs))), run);
    };
    const fresh = [...leaving].filter(([id]) => !steps.current.has(id));
    // What leaves together takes its steps together: the list is drawn once for all of them.
    for (const [key, rows] of Map.groupBy(
      fresh,
      ([, { acceptedBy, isOwn }]) => `${isOwn} ${acceptedBy === undefined}`,
    )) {
      const isOwn = key.startsWith('true');
      const ids = new Set(rows.map(([id]) => id));
      // What the person did themselves fades at once; its gap waits like any other.
      const restMs = isOwn ? OWN_REST_MS : REST_MS;
      const isSilent = key.endsWith('true');
      begin({ ids, dueIn: isSilent ? 0 : NOTICE_MS, restMs: isOwn ? 0 : restMs }, isOwn, () => {
        startTransition(() => setMoving((now) => new Set([...now, ...ids])));
        begin({ ids, dueIn: isStill ? 0 : LEAVE_MS, restMs }, isOwn, () => {
          // The cards in their places are drawn in slices, as those that arrive.
          startTransition(() => {
            stay(ids);
            setState((now) => ({ ...now, leaving: withoutLeavingRows(now.leaving, ids) }));
            if (!isStill) setClosingGap(true);
          });
        });
      });
    }
    for (const [id, step] of steps.current) {
      if (leaving.has(id)) continue;
      // It has gone, or has come back.
      step.ids.delete(id);
      if (step.ids.size === 0) step.stop?.();
      steps.current.delete(id);
      stay(new Set([id]));
    }
  }, [state, isStill, hold, drawnAs]);
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
  const { leaving: onTheirWay } = state;
  return useMemo(() => ({ rows, leaving: onTheirWay, moving, isClosingGap }), [rows, onTheirWay, moving, isClosingGap]);
}

/** One step of rows that leave: in so many milliseconds at the earliest, and once the list has rested for `restMs`. */
interface Step {
  ids: Set<string>;
  dueIn: number;
  restMs: number;
  stop?: () => void;
}

/** Takes a step in time. `mustWait` says whether it waits until the mouse or the list has moved, however long that is. */
function takeStep(hold: ListHold, step: Step, mustWait: () => boolean, run: () => void): void {
  const dueAt = performance.now() + step.dueIn;
  let timer: ReturnType<typeof setTimeout>;
  const look = (): void => {
    clearTimeout(timer);
    const waitMs = Math.max(dueAt - performance.now(), step.restMs === 0 ? 0 : hold.remaining(step.restMs));
    if (waitMs > 0) {
      timer = setTimeout(look, waitMs);
      return;
    }
    if (mustWait()) return;
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

/** A row whose alert has left the list, while its card still leaves the screen. */
export interface LeavingRow {
  alert: Alert;
  /** Who accepted the alert, when it was somebody else: the card says so first. */
  acceptedBy: string | undefined;
  /** The person at this screen took the alert out, with the card itself: they know. */
  isOwn: boolean;
  /** Id of the row that followed it, where it keeps its place. That one may be leaving, too. */
  before: string | undefined;
}

/** More than so many leaving at once is not somebody's work on single alerts but another list. */
const MOST_AT_ONCE = 5;

/** What is known of rows that leave. */
interface LeavingContext {
  /** Who accepted the alert, if it was somebody else. */
  acceptedBy: (id: string) => string | undefined;
  /** Whether the person at this screen is just acting on the alert. */
  isOwn?: (id: string) => boolean;
  /** Somebody is using the list: however many rows leave the screen, they keep their places for now. */
  isFrozen?: boolean;
  /** Whether a row is on screen, and gone for good. Nobody sees any other leave. */
  isDrawn?: (id: string) => boolean;
}

/** The rows on their way out, by the ids of their alerts. */
export type LeavingRows = ReadonlyMap<string, LeavingRow>;

/**
 * The rows on their way out once the list is `next`: those that were, without what has come back, and those that `next` no
 * longer has, as far as they are on screen. Of these none when it is another list altogether, unless the list is frozen.
 *
 * @param previous the list before, and the rows that were leaving it
 */
export function leavingAfter(
  previous: { alerts: readonly Alert[]; leaving: LeavingRows },
  next: readonly Alert[],
  { acceptedBy, isOwn = () => false, isFrozen = false, isDrawn = () => true }: LeavingContext,
): LeavingRows {
  const present = new Set(next.map(({ id }) => id));
  const leaving = new Map([...previous.leaving].filter(([id]) => !present.has(id)));
  const rows = withLeavingRows(previous.alerts, previous.leaving).toReversed();
  const gone: LeavingRow[] = [];
  let goneCount = 0;
  let before: string | undefined;
  for (const alert of rows) {
    // A row that is leaving keeps the place of the ones above it as well.
    if (present.has(alert.id) || leaving.has(alert.id)) before = alert.id;
    else {
      goneCount += 1;
      if (!isDrawn(alert.id)) continue;
      const isMine = isOwn(alert.id);
      // One that had an owner already, or that the person here took out, left for another reason.
      const taker = isMine || !isEverybodys(alert) ? undefined : acceptedBy(alert.id);
      gone.push({ alert, acceptedBy: taker, isOwn: isMine, before });
    }
  }
  // Those that leave together stand below each other, in their order.
  if (goneCount <= MOST_AT_ONCE || isFrozen) for (const row of gone.toReversed()) leaving.set(row.alert.id, row);
  // What one stood before may have gone without being seen: it stands before the next row now.
  let below: string | undefined;
  for (const { id } of rows) {
    const row = leaving.get(id);
    if (row?.before !== undefined && !present.has(row.before) && !leaving.has(row.before)) {
      leaving.set(id, { ...row, before: below });
    }
    if (row || present.has(id)) below = id;
  }
  return leaving;
}

/** Without rows that have left for good: those that they kept in place are kept by the row below. */
export function withoutLeavingRows(leaving: LeavingRows, gone: ReadonlySet<string>): LeavingRows {
  const below = (before: string | undefined): string | undefined => {
    let id = before;
    while (id !== undefined && gone.has(id)) id = leaving.get(id)?.before;
    return id;
  };
  return new Map(
    [...leaving].filter(([id]) => !gone.has(id)).map(([id, row]) => [id, { ...row, before: below(row.before) }]),
  );
}

/** The rows to draw: those of the list, and the leaving ones in the place where they were. */
export function withLeavingRows(alerts: readonly Alert[], leaving: LeavingRows): readonly Alert[] {
  if (leaving.size === 0) return alerts;
  const ahead = new Map<string | undefined, Alert[]>();
  const known = new Set([...alerts.map(({ id }) => id), ...leaving.keys()]);
  for (const { alert, before } of leaving.values()) {
    const place = before !== undefined && known.has(before) ? before : undefined;
    ahead.set(place, [...(ahead.get(place) ?? []), alert]);
  }
  const withAhead = (alert: Alert): Alert[] => [...(ahead.get(alert.id) ?? []).flatMap(withAhead), alert];
  return [...alerts, ...(ahead.get(undefined) ?? [])].flatMap(withAhead);
}
