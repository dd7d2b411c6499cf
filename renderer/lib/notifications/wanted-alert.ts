import { atom } from 'jotai';

/**
 * The alert that is to come into view and take the focus, and the path of the list that is to show it: that list empties
 * this. Another list may still have the alert's row, as the inbox has for a moment after it was accepted.
 */
export const wantedAlertAtom = atom<{ id: string; path: string } | undefined>(undefined);
