import { PauseIcon } from '@blueprintjs/icons';
import type { Source } from '#backend/contract/source.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { healthLabel } from './health-labels.ts';
import './sources.css';

/** How a source is doing: a dot and a word, with the reason below or beside it. */
export function HealthWord({ source, hasReason = true }: { source: Source; hasReason?: boolean }) {
  const { state } = source.health;
  const label = useNow((now) => healthLabel(source, now).label);
  const reason = useNow((now) => healthLabel(source, now).reason);
  return (
    <span className={`ad-health ad-health--${state}`}>
      <span className="ad-health-word">
        {state === 'paused' ? <PauseIcon size={10} className="ad-health-pause" /> : <span className="ad-dot" />}
        {label}
      </span>
      {hasReason && reason !== undefined && <span className="ad-health-reason">{reason}</span>}
    </span>
  );
}
