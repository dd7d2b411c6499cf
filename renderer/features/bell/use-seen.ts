import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { isPageShown, watchPageShown } from '#renderer/lib/page-shown.ts';

/** Who looks at a row for so long has seen it, in milliseconds. */
const SEEN_MS = 1_000;

/**
 * Watches which rows were on screen for a second, and reports them when the component goes. A window that is not shown shows
 * no row.
 *
 * @param around holds the rows, each with its id in `data-id`
 * @param ids of the rows that stand now, with spaces between
 */
export function useSeen(around: RefObject<HTMLElement | null>, ids: string, onSeen: (seen: string[]) => void): void {
  /** Since when rows are on screen. */
  const since = useRef(new Map<string, number>());
  const seen = useRef(new Set<string>());
  const noteSeen = useEffectEvent((id: string) => {
    if (performance.now() - (since.current.get(id) ?? Infinity) >= SEEN_MS) seen.current.add(id);
  });
  const report = useEffectEvent(() => onSeen([...seen.current]));

  useEffect(() => {
    const times = since.current;
    const standing = new Set(ids.split(' ').filter(Boolean));
    for (const id of [...times.keys()].filter((one) => !standing.has(one))) {
      noteSeen(id);
      times.delete(id);
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset['id'] ?? '';
          if (!isIntersecting) {
            noteSeen(id);
            times.delete(id);
          } else if (!times.has(id)) times.set(id, performance.now());
        }
      },
      { threshold: 0.6 },
    );
    for (const id of standing) {
      const row = around.current?.querySelector(`[data-id="${CSS.escape(id)}"]`);
      if (row) observer.observe(row);
    }
    return () => observer.disconnect();
  }, [around, ids]);

  useEffect(() => {
    const times = since.current;
    const onVisibility = (): void => {
      for (const id of times.keys()) {
        noteSeen(id);
        times.set(id, isPageShown() ? performance.now() : Infinity);
      }
    };
    const stop = watchPageShown(onVisibility);
    return () => {
      stop();
      for (const id of times.keys()) noteSeen(id);
      report();
    };
  }, []);
}
