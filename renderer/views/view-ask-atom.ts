import { atom } from 'jotai';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { ViewList } from '#backend/contract/view.ts';

/** What a view is to be made of. */
export interface ViewDraft {
  list: ViewList;
  search: string;
  sort: AlertSort;
}

/** Somebody wants to save a view; the page's dialog empties this. */
export const viewAskAtom = atom<ViewDraft | undefined>(undefined);
