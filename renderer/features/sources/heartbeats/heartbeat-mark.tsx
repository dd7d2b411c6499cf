import { Link } from 'react-router-dom';
import type { Heartbeat } from '#backend/contract/heartbeat.ts';
import { formatLeft, formatSpan } from '#renderer/features/sources/shown/ages.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDay } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { SEVERITY_LABELS, stateLabel } from './heartbeat-labels.ts';
import * as texts from './texts.tsx';
import * as styles from './heartbeats.module.css';

/** How a heartbeat stands: a dot and its state, with what matters of it below. */
export function HeartbeatMark({ heartbeat, hasReason = true }: { heartbeat: Heartbeat; hasReason?: boolean }) {
  const { state, alert } = heartbeat;
  const label = useNow((now) => stateLabel(heartbeat, now));
  const reason = useNow((now) => reasonOf(heartbeat, now));
  const severity = alert?.severity == null || alert.severity === 'none' ? undefined : SEVERITY_LABELS[alert.severity];
  return (
    <span className={`${styles.state} ${styles[`state_${state}`]}`}>
      <span className={styles.word}>
        <span className={styles.dot} />
        {label}
      </span>
      {hasReason && alert && (
        <Link className={styles.alertLink} to={`/alert/${alert.id}`}>
          {texts.alertOpen(severity)}
        </Link>
      )}
      {hasReason && !alert && reason !== undefined && <span className={styles.reason}>{reason}</span>}
    </span>
  );
}

function reasonOf({ state, since, judgedAt, usualMs, pausedBy }: Heartbeat, now: Date): string | undefined {
  switch (state) {
    case 'late': {
      const left = judgedAt === null ? undefined : formatLeft(new Date(judgedAt), now);
      return left === undefined ? undefined : texts.graceEndsIn(left);
    }
    case 'running':
      return since === null
        ? undefined
        : texts.runningFor(
            formatSpan(Math.max(0, now.getTime() - Date.parse(since))),
            usualMs === null ? undefined : formatSpan(usualMs),
          );
    case 'paused':
      return since === null ? undefined : texts.pausedBy(inertLine(pausedBy ?? ''), formatDay(new Date(since), now));
    case 'new':
      return texts.waitingForFirst;
    default:
      return undefined;
  }
}
