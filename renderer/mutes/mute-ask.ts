import { atom } from 'jotai';
import type { Alert } from '#backend/contract/alert.ts';

/** The alert that a menu or a key asks to mute something of; the page's dialog empties this. */
export const muteAskAtom = atom<Alert | undefined>(undefined);

/** Whether an alert has anything that can be muted. */
export const hasMutable = ({ alertType, customer, sourceId }: Alert): boolean =>
  alertType !== null || customer !== null || sourceId !== undefined;
