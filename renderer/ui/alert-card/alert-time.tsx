import { useMemo } from 'react';
import { formatAgo, formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';

/** When an alert came: the specified format, how long ago within the hour (it keeps ticking), exact in a tooltip. */
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
