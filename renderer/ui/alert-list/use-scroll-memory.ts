import { useAtomValue } from 'jotai';
import { useLayoutEffect } from 'react';
import { scrollMemoryAtom } from '#renderer/lib/screen-memory.ts';

/** How far down the list at `place` was left, in pixels. */
export function useScrollLeft(place: string): number {
  return useAtomValue(scrollMemoryAtom).get(place) ?? 0;
}

/** Brings a list to where it was left once it is laid out, and remembers where it is left the next time. */
export function useScrollMemory(place: string, scroller: Element | null): void {
  const memory = useAtomValue(scrollMemoryAtom);
  useLayoutEffect(() => {
    if (!scroller) return undefined;
    scroller.scrollTo({ top: memory.get(place) ?? 0 });
    const note = (): void => void memory.set(place, scroller.scrollTop);
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [place, scroller, memory]);
}
