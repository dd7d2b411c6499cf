import { atom } from 'jotai';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import * as texts from './texts.ts';

/** What a key that did nothing says; a new object each time, so that the same key is answered again. */
export const keyNoticeAtom = atom<{ text: string } | undefined>(undefined);

/** Why the key of an action does nothing here. */
export const unusedKeyText = ({ id, label }: AlertAction): string =>
  id === 'complete' || id.startsWith('status-') ? texts.noStatusHere : texts.nothingToDoHere(label.toLowerCase());
