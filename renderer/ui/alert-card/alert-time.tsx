import { useMemo } from 'react';
import { formatAgo, formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';

/** Arrival time of an alert: date and time, its age within the first hour (kept current), exact in a tooltip. */
export function AlertTime({ timestamp }: { timestamp: string }) {
  const time = useMemo(() => new Date(timestamp), [timestamp]);
  const ago = useNow((now) => formatAgo(time, now));
  return (
    <div className="ad-card-time">
      <time dateTime={timestamp} data-tip={formatExactTime(time)} data-tip-always>
        {formatCardTime(time)}
      </time>
      {ago !== undefined && <span className="ad-card-ago">{ago}</span>}
    </div>
  );
}
