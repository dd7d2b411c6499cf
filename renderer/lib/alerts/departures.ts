import { atom } from 'jotai';

/** More than fit on a screen at once; older ones have long left it. */
const KEPT = 50;

/**
 * Who took alerts out of the inbox just now: alert id to the name of the member who accepted it. A list that still
 * shows the card says "Accepted by {name}" before it lets the card go.
 */
export const departuresAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>());

/** Notes that `ownerName` accepted the alert. Write-only. */
export const departAtom = atom(null, (get, set, alertId: string, ownerName: string) => {
  const others = [...get(departuresAtom)].filter(([id]) => id !== alertId);
  set(departuresAtom, new Map([...others, [alertId, ownerName] as const].slice(-KEPT)));
});
