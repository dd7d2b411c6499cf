import type { AlertDetails } from '#backend/contract/alert.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { SEVERITY_LABELS, durationLabel, occurrencesLabel, standingOf } from '#renderer/alerts/data/problem-labels.ts';
import { formatCardTime, formatExactTime, writeTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { Link } from 'react-router-dom';
import { type Course, courseOf } from './problem-course.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as alertPanelStyles from './alert-panel.module.css';
import * as styles from './state-strip.module.css';

interface StateStripProps {
  alert: AlertDetails;
  /** What happened to it, newest first. */
  history: readonly HistoryEntry[];
  previous: AlertDetails['previousAlert'];
}

/** How the problem stands, and how it came there: its occurrences over time, and under them the severities. */
export function StateStrip({ alert, history, previous }: StateStripProps) {
  const standing = useNow((now) => standingOf(alert, now));
  const occurrences = useNow((now) => occurrencesLabel(alert, now));
  // Text, so that it is drawn again only when it is another.
  const minute = useNow((now) => String(Math.floor(now.getTime() / 60_000)));
  const course = courseOf(alert, history, (Number(minute) + 1) * 60_000);
  return (
    <section className={alertPanelStyles.section} aria-label={texts.state}>
      <p className={styles.stateLine}>
        <strong>{texts.state}</strong> {standing}
        {occurrences !== undefined && <span className={styles.stateCount}>{occurrences}</span>}
        {previous && (
          <Link className={styles.stateEarlier} to={pathOfAlert(previous.id)}>
            {texts.earlier(
              writeTime(new Date(previous.timestamp), 'MMM d'),
              previous.resolvedAt && durationLabel(previous.timestamp, previous.resolvedAt),
            )}
          </Link>
        )}
      </p>
      {course && <CourseStrip course={course} />}
    </section>
  );
}

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

/** A tick for each occurrence over a bar with a part for each severity, and what each part is in words. */
function CourseStrip({ course: { ticks, bars, segments, resolutions, end } }: { course: Course }) {
  return (
    <div className={styles.course}>
      <div className={styles.ticks} aria-hidden>
        {ticks.map((at, index) => (
          // Two deliveries of one moment are two ticks.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={styles.tick} style={{ left: percent(at) }} />
        ))}
        {bars.map(({ from, to, height }) => (
          <span
            key={from}
            className={styles.column}
            style={{ left: percent(from), width: percent(to - from), height: percent(height) }}
          />
        ))}
      </div>
      <div className={styles.bar} aria-hidden>
        {segments.map(({ from, to, severity, isAcknowledged }) => (
          <span
            key={`${from} ${severity}`}
            className={classNames(styles.part, styles[`part_${severity}`], isAcknowledged && styles.part_acknowledged)}
            style={{ width: percent(to - from) }}
          />
        ))}
        {resolutions.map((at) => (
          <span key={at} className={styles.resolved} style={{ left: percent(at) }} />
        ))}
      </div>
      <ol className={styles.words}>
        {segments.map(({ from, to, severity, isAcknowledged, at }) => (
          <li key={`${from} ${severity}`} style={{ width: percent(to - from) }}>
            <time dateTime={at.toISOString()} title={formatExactTime(at)}>
              {formatShort(at)}
            </time>{' '}
            {isAcknowledged ? texts.acknowledged : SEVERITY_LABELS[severity] || texts.firing}
          </li>
        ))}
        <li className={styles.end}>{end === 'now' ? texts.now : texts.endResolved(formatShort(end))}</li>
      </ol>
    </div>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time alone within a day, else with its date. */
const formatShort = (time: Date): string =>
  Date.now() - time.getTime() < DAY_MS ? writeTime(time, 'h:mm a') : formatCardTime(time);
