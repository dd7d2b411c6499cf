import { atom } from 'jotai';

/** More than somebody takes together before the next look at the list; older ones have long left it. */
const KEPT = 500;

/**
 * Who took alerts out of the inbox just now: alert id to the name of the member who accepted it. A list that still
 * shows the card says "Accepted by {name}" before it lets the card go.
 */
export const departuresAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>());

/** Notes that `ownerName` accepted the alert, or that nobody has it any more (`null`). Write-only. */
export const departAtom = atom(null, (get, set, alertId: string, ownerName: string | null) => {
  const known = get(departuresAtom);
  if (ownerName === null && !known.has(alertId)) return;
  const others = [...known].filter(([id]) => id !== alertId);
  const taken = ownerName === null ? [] : [[alertId, ownerName] as const];
  set(departuresAtom, new Map([...others, ...taken].slice(-KEPT)));
});

interface AlertToShow {
  id: string;
  path: string;
}

const toShowAtom = atom<AlertToShow | undefined>(undefined);

/**
 * The alert that is to come into view and take the focus, and the path of the list that is to show it: that list empties
 * this. Another list may still have the alert's row, as the inbox has for a moment after it was accepted. It is no longer
 * wanted once the person does something else, by key or pointer.
 */
export const alertToShowAtom = atom(
  (get) => get(toShowAtom),
  (get, set, wanted: AlertToShow | undefined) => {
    set(toShowAtom, wanted);
    if (!wanted) return;
    const once = new AbortController();
    const drop = (): void => {
      once.abort();
      if (get(toShowAtom) === wanted) set(toShowAtom, undefined);
    };
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, drop, { capture: true, signal: once.signal });
  },
);

/** Alerts that the open list has above what is in view, and counts there: "12 new alerts". */
export const countedAboveAtom = atom<ReadonlySet<string>>(new Set<string>());

/** Id of the alert whose note is to be written: its panel gives the field the focus, and empties this. */
export const noteAskAtom = atom<string | undefined>(undefined);

/** A change of many alerts by the person at this screen, and how far it is. */
export interface BulkRun {
  id: number;
  /** The loaded ones of the alerts that it changes. */
  ids: ReadonlySet<string>;
  done: number;
  total: number;
  cancel: () => void;
}

/** The changes of many alerts that are in progress, oldest first. */
export const bulkRunsAtom = atom<readonly BulkRun[]>([]);

/** Adds a run or says how far it is; without `run` the one of this id has ended. Write-only. */
export const noteBulkRunAtom = atom(null, (get, set, id: number, run?: BulkRun) => {
  const runs = get(bulkRunsAtom);
  if (!run)
    set(
      bulkRunsAtom,
      runs.filter((one) => one.id !== id),
    );
  else if (runs.some((one) => one.id === id))
    set(
      bulkRunsAtom,
      runs.map((one) => (one.id === id ? run : one)),
    );
  else set(bulkRunsAtom, [...runs, run]);
});
