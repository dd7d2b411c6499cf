import { useEffect } from 'react';
import { setHeight } from './note-height.ts';

/** What a window loses of its height to less than this, in pixels, is a bar of the browser and no keyboard. */
const LEAST_HEIGHT = 120;

/** What takes text, and so brings the keyboard. */
const TEXT_FIELDS =
  'textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="range"], [type="button"])';

/** What is seen of the page. */
export interface Seen {
  /** Height and upper edge in the page's window, as far as it is zoomed in. */
  height: number;
  offsetTop: number;
  scale: number;
  /** Height of the page's window, and the largest height that was seen at this width. */
  windowHeight: number;
  tallest: number;
}

/**
 * How much of the window's lower end a keyboard covers, in pixels; undefined where there is none. Some browsers make the
 * window smaller instead: nothing is covered then.
 */
export function coveredByKeyboard({ height, offsetTop, scale, windowHeight, tallest }: Seen): number | undefined {
  if (Math.max(windowHeight, tallest) - height * scale < LEAST_HEIGHT) return undefined;
  return Math.max(0, Math.round(windowHeight - offsetTop - height));
}

/** Marks the whole page while a keyboard is on screen: `data-keyboard`. What stands above has what it covers as `--ad-keyboard`. */
export function useOnScreenKeyboard(): void {
  useEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return undefined;
    const root = document.documentElement;
    let tallest = { width: 0, height: 0 };
    const measure = (): void => {
      const { height, offsetTop, scale } = visualViewport;
      const isWriting = document.activeElement?.matches(TEXT_FIELDS) === true;
      const seen = { width: innerWidth, height: height * scale };
      if (!isWriting || seen.width !== tallest.width || seen.height > tallest.height) tallest = seen;
      const covered = isWriting
        ? coveredByKeyboard({ height, offsetTop, scale, windowHeight: innerHeight, tallest: tallest.height })
        : undefined;
      root.toggleAttribute('data-keyboard', covered !== undefined);
      setHeight('--ad-keyboard', covered);
    };
    const over = new AbortController();
    const options = { signal: over.signal };
    for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, measure, options);
    for (const type of ['focusin', 'focusout']) document.addEventListener(type, measure, options);
    // Nothing covers the page before something is written there, and to measure it now would lay it out once more.
    if (document.activeElement?.matches(TEXT_FIELDS)) measure();
    return () => {
      over.abort();
      root.removeAttribute('data-keyboard');
      setHeight('--ad-keyboard');
    };
  }, []);
}
