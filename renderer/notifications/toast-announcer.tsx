import { useEffect, useRef, useState } from 'react';
import type { ToastEntry } from '#renderer/lib/toast-queue.ts';

/** Least time between two announcements of news, in milliseconds: a storm is told now and then, not alert by alert. */
const NEWS_INTERVAL_MS = 5000;

/** Reads toasts to screen readers: failures at once, everything else politely (`ux.md`, "Hands"). */
export function ToastAnnouncer({ entry }: { entry: ToastEntry | null }) {
  const spoken = entry ? [entry.title, entry.description].filter(Boolean).join('. ') : '';
  const news = useNewsAnnouncement(entry?.intent === 'news' ? spoken : '');
  return (
    <>
      <output className="ad-hidden">
        {entry?.intent === 'news' && news}
        {entry?.intent === 'done' && spoken}
      </output>
      <div className="ad-hidden" role="alert">
        {entry?.intent === 'error' && spoken}
      </div>
    </>
  );
}

/** The news as they were when they were last told. */
function useNewsAnnouncement(news: string): string {
  const [told, setTold] = useState('');
  const toldAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const wait = toldAt.current + NEWS_INTERVAL_MS - performance.now();
    // When the news have gone, what was told is cleared at once, or the next ones would begin with it.
    const timer = setTimeout(
      () => {
        if (news !== '') toldAt.current = performance.now();
        setTold(news);
      },
      news === '' ? 0 : Math.max(0, wait),
    );
    return () => clearTimeout(timer);
  }, [news]);
  return told;
}
