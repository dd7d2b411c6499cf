import { atom, useAtomValue } from 'jotai';

/**
 * State of the live connection. `connecting` is the first attempt after the page opened; `checking` one that nothing has
 * come over for too long, as after a sleep, until it answers or counts as lost.
 */
export type Connection = 'connecting' | 'connected' | 'checking' | 'disconnected';

/** Written by the live connection alone; everything else reads it through {@link useConnection}. */
export const connectionAtom = atom<Connection>('connecting');

/** The state of the live connection, for the header's word and the "Reconnecting…" strip. */
export function useConnection(): Connection {
  return useAtomValue(connectionAtom);
}

/** What happens on other servers comes later than usual. Written by the live connection. */
export const delayedAtom = atom(false);

/** What was missed while the connection was away is asked for and not known yet. Written by the live connection. */
export const catchingUpAtom = atom(false);

/** Whether something on screen could not be brought up to date, and what fetches it now. Written by the live connection. */
export const resyncAtom = atom<{ isBehind: boolean; retry: () => void }>({ isBehind: false, retry: () => undefined });

/** Why the page should be loaded again: the server serves another version, or a part could not be fetched. */
export const reloadReasonAtom = atom<'new-version' | 'missing-part' | undefined>(undefined);
