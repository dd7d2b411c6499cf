import { atom } from 'jotai';

/** The alert that is to come into view and take the focus, by its id. The list that shows it empties this. */
export const wantedAlertAtom = atom<string | undefined>(undefined);
