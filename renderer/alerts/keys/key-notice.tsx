import { atom, useAtom } from 'jotai';
import { useEffect } from 'react';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import * as texts from './texts.ts';
import * as styles from './key-notice.module.css';

/** What a key that did nothing says; a new object each time, so that the same key is answered again. */
export const keyNoticeAtom = atom<{ text: string } | undefined>(undefined);

/** How long it stays, in milliseconds. */
const SHOWN_MS = 4_000;

/** Why the key of an action does nothing here. */
export const unusedKeyText = ({ id, label }: AlertAction): string =>
  id === 'complete' || id.startsWith('status-') ? texts.noStatusHere : texts.nothingToDoHere(label.toLowerCase());

/** One line at the foot of the page; a newer one takes its place. */
export function KeyNotice() {
  const [notice, setNotice] = useAtom(keyNoticeAtom);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, setNotice]);
  return <output className={styles.place}>{notice && <span className={styles.notice}>{notice.text}</span>}</output>;
}
