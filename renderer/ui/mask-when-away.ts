import { useEffect, useState } from 'react';
import { isPageShown, watchPageShown } from '#renderer/lib/page-shown.ts';

/** A secret is masked once the page was hidden for so long, in milliseconds. */
const AWAY_MS = 15 * 60 * 1000;

/** Whether secrets on the page are masked because nobody looked at it for a while, and how they are shown again. */
export function useMaskWhenAway(): { isMasked: boolean; unmask: () => void } {
  const [isMasked, setMasked] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = Number.POSITIVE_INFINITY;
    const onChange = (): void => {
      clearTimeout(timer);
      if (!isPageShown()) {
        hiddenAt = Date.now();
        timer = setTimeout(() => setMasked(true), AWAY_MS);
        return;
      }
      // Timers of a hidden page may be late.
      if (Date.now() - hiddenAt >= AWAY_MS) setMasked(true);
      hiddenAt = Number.POSITIVE_INFINITY;
    };
    const stop = watchPageShown(onChange);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return { isMasked, unmask: () => setMasked(false) };
}

/** Stands for what was shown once and is not shown now. */
export const mask = (hint: string): string => `${'•'.repeat(12)}${hint}`;

/** What stands for a secret, or for an address that has one in it, while nobody looks at it. */
export const maskWhole = (text: string): string => {
  const [server = ''] = /^https?:\/\/[^/]*\//.exec(text) ?? [];
  return `${server}${mask(text.slice(-4))}`;
};
