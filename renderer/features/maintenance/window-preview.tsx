import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { WindowPreview } from '#backend/contract/maintenance.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { writeIn } from '#renderer/lib/times-in-zone.ts';
import { dayText, spanText } from './schedule-sentence.ts';
import { type WindowDraft, minutesOf } from './window-draft.ts';
import { lengthOf } from './schedule-texts.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './maintenance.module.css';

interface PreviewProps {
  draft: WindowDraft;
  preview: WindowPreview | undefined;
}

/** The next four times, and the first after clocks were set. */
export function NextTimes({ draft, preview }: PreviewProps) {
  const change = preview?.afterChange;
  const shown = preview?.times ?? [];
  const isAmong = shown.some(({ startsAt }) => startsAt === change?.startsAt);
  const length = lengthOf(minutesOf(draft) ?? 0);
  return (
    <Panel title={texts.nextTimes}>
      <ol className={`${panelStyles.rows} ${styles.rows}`}>
        {[...shown, ...(change && !isAmong ? [change] : [])].map((time) => (
          <li
            key={time.startsAt}
            className={`${styles.times} ${time.startsAt === change?.startsAt ? styles.times_changed : ''}`}
          >
            <strong>{dayText(Date.parse(time.startsAt), draft.timeZone)}</strong>
            <div>
              {spanText(Date.parse(time.startsAt), Date.parse(time.endsAt), draft.timeZone)}
              {time.startsAt === change?.startsAt && (
                <p className={styles.small}>{texts.firstAfterChange(change.isOnSummerTime, length)}</p>
              )}
              {time.overlaps.length > 0 && (
                <p className={styles.small}>
                  {texts.overlaps(time.overlaps.map((name) => texts.quoted(inertLine(name))).join(', '))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {shown.length === 0 && <p className={`${panelStyles.panelBody} ${styles.small}`}>{texts.noTimesYet}</p>}
    </Panel>
  );
}

/** What it would have kept quiet at its last time. */
export function WouldHaveKept({ draft, preview }: PreviewProps) {
  if (!preview) return null;
  const { past } = preview;
  return (
    <Panel
      title={texts.wouldHaveKept}
      actions={<span className={styles.small}>{dayText(Date.parse(past.from), draft.timeZone)}</span>}
    >
      <div className={styles.figures}>
        <Figure count={past.alerts} isAtLeast={!past.isComplete} label={texts.alerts(past.alerts)} />
        <Figure count={past.notifications} label={texts.notifications(past.notifications)} />
        <Figure count={past.stillFiring} label={texts.stillFiring} />
      </div>
      <ul className={panelStyles.rows}>
        {past.newest.map(({ id, title, severity, timestamp }) => (
          <li key={id} className={styles.pastRow}>
            <SeverityMark severity={severity} state="event" />
            <Link className={styles.pastTitle} dir="auto" to={pathOfAlert(id)}>
              {inertLine(title)}
            </Link>
            <span className={styles.small}>{writeIn(Date.parse(timestamp), draft.timeZone, 'h:mm a')}</span>
          </li>
        ))}
        {past.alerts > past.newest.length && (
          <li className={styles.pastRow}>
            <Link to={hrefOfPast(draft.search, past)}>{texts.showAll(past.alerts)}</Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}

function Figure({ count, isAtLeast = false, label }: { count: number; isAtLeast?: boolean; label: string }) {
  const shown = countText(count);
  return (
    <span className={styles.figure}>
      <strong>{isAtLeast ? texts.atLeast(shown) : shown}</strong> {label}
    </span>
  );
}

/** The list of all alerts, narrowed to these. */
const hrefOfPast = (search: string, { from, to }: WindowPreview['past']): string =>
  `${PATHS.allAlerts}?${new URLSearchParams({ search: `${search} from:${from} to:${to}`.trim() })}`;
