import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { keyNoticeAtom } from './unused-keys.ts';
import * as styles from './key-notice.module.css';

/** How long it stays, in milliseconds. */
const SHOWN_MS = 4_000;

/** One line at the foot of the page; a newer one takes its place. */
export function KeyNotice() {
  const [notice, setNotice] = useAtom(keyNoticeAtom);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, setNotice]);
  return (
    <output className={styles.place} data-above>
      {notice && <span className={styles.notice}>{notice.text}</span>}
    </output>
  );
}
