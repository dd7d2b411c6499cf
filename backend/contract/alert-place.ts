import type { AlertStatus } from './alert.ts';
import type { AlertCompletion } from './alert-query.ts';

/** What of an alert decides where it belongs. Nobody and no folder are null or absent. */
export interface Placed {
  status: AlertStatus;
  ownerId?: string | null | undefined;
  folderId?: string | null | undefined;
  isSnoozed: boolean;
}

/** Whether an alert is everybody's: the inbox is what is pending, and nobody's. */
export const isEverybodys = ({ status }: Pick<Placed, 'status'>): boolean => status === 'pending';

/** Whether an alert was completed while it was in the inbox, by its sender or its ticket: it is nobody's, and not to be had. */
export const isCompletedUntaken = ({ status, ownerId }: Pick<Placed, 'status' | 'ownerId'>): boolean =>
  status === 'completed' && (ownerId ?? null) === null;

/** Error of a call about such an alert, word by word: the web app shows it where the alert cannot be opened, too. */
export const COMPLETED_UNTAKEN = 'This alert was completed before anyone accepted it.';

/** Whether an alert is completed: what is not is open. */
export const completionOf = ({ status }: Pick<Placed, 'status'>): AlertCompletion =>
  status === 'completed' ? 'completed' : 'open';

/** What a place has: whose alerts, and from which folders of theirs. */
interface PlaceRule {
  whose: 'everybodys' | 'owned' | 'all';
  folder: 'any' | 'none' | 'some' | 'named';
}

/**
 * Where alerts are: in the shared inbox, in one member's queue without what is filed in folders, in some of their folders, in
 * any of them, or anywhere. The queries of the server and {@link belongsIn} are both made from this.
 */
export const PLACES = {
  inbox: { whose: 'everybodys', folder: 'any' },
  mine: { whose: 'owned', folder: 'none' },
  folder: { whose: 'owned', folder: 'named' },
  filed: { whose: 'owned', folder: 'some' },
  all: { whose: 'all', folder: 'any' },
} as const satisfies Record<string, PlaceRule>;

/** One of these, of which member, and which folders. */
export type ListPlace =
  | { list: 'inbox' }
  | { list: 'mine'; ownerId: string }
  | { list: 'folder'; ownerId: string; folderIds: readonly string[] }
  | { list: 'filed'; ownerId: string }
  | { list: 'all' };

/**
 * A list of alerts: what is awake in a place, or in that of all also what is snoozed; or what a member may wake, `within` these
 * places alone where they are named.
 */
export type AlertList = ListPlace | { list: 'snoozed'; ownerId: string; within?: readonly ListPlace[] };

/** Where a member's own alerts are. */
export const ownPlaces = (ownerId: string): ListPlace[] => [
  { list: 'mine', ownerId },
  { list: 'filed', ownerId },
];

/** Where alerts are snoozed that a member may wake: their own, and those of the inbox. */
export const placesToWake = (ownerId: string): ListPlace[] => [...ownPlaces(ownerId), { list: 'inbox' }];

/** Whether alerts of a status may be in a place. */
export function mayHave({ list }: ListPlace, status: AlertStatus): boolean {
  const { whose } = PLACES[list];
  return whose === 'all' || (whose === 'everybodys') === isEverybodys({ status });
}

/** Whether an alert is in a place, asleep or awake. */
function isAt(place: ListPlace, { status, ownerId, folderId = null }: Placed): boolean {
  if (!mayHave(place, status) || ('ownerId' in place && ownerId !== place.ownerId)) return false;
  switch (PLACES[place.list].folder) {
    case 'any':
      return true;
    case 'none':
      return folderId === null;
    case 'some':
      return folderId !== null;
    case 'named':
      return folderId !== null && 'folderIds' in place && place.folderIds.includes(folderId);
  }
}

/** Whether an alert belongs in a list. */
export function belongsIn(list: AlertList, alert: Placed): boolean {
  if (list.list !== 'snoozed') return (list.list === 'all' || !alert.isSnoozed) && isAt(list, alert);
  return alert.isSnoozed && (list.within ?? placesToWake(list.ownerId)).some((place) => isAt(place, alert));
}
