import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { NextPage } from '#renderer/alerts/data/alert-queries.ts';

/** What ends the way to the end of a list: whoever does something else is left where they are. */
const INTERRUPTIONS = ['keydown', 'pointerdown', 'wheel'] as const;

interface GoToEndOptions {
  /** How many alerts are loaded. */
  count: number;
  more: NextPage | undefined;
  reveal: (index: number) => void;
  move: (index: number) => void;
}

/**
 * Goes to the last alert of the whole list: the pages up to it are loaded in their order, with the end of what is there in
 * view, and then the last card takes the focus. Where a page cannot be loaded, the last one that is there takes it.
 */
export function useGoToEnd({ count, more, reveal, move }: GoToEndOptions): { isGoing: boolean; go: () => void } {
  const [isAsked, setAsked] = useState(false);
  const wasGoing = useRef(false);
  const canGo = more !== undefined && more.error === null;
  const isGoing = isAsked && canGo;
  if (isAsked && !canGo) setAsked(false);
  useEffect(() => {
    if (!isGoing) return undefined;
    const stop = (): void => {
      wasGoing.current = false;
      setAsked(false);
    };
    for (const type of INTERRUPTIONS) window.addEventListener(type, stop, { capture: true });
    return () => {
      for (const type of INTERRUPTIONS) window.removeEventListener(type, stop, { capture: true });
    };
  }, [isGoing]);
  useLayoutEffect(() => {
    if (isGoing) reveal(count);
    else if (wasGoing.current) move(count - 1);
    wasGoing.current = isGoing;
  });
  return { isGoing, go: () => (canGo ? setAsked(true) : move(count - 1)) };
}
