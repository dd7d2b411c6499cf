import { useQuery } from '@tanstack/react-query';
import type { PreviewedAlert } from '#backend/contract/notification-exception.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { previewQuery } from '#renderer/mutes/exceptions.ts';
import { LEVEL_LABELS, levelLabel } from '#renderer/mutes/level-labels.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { usePushTest } from './push-test.tsx';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './notify.module.css';

/** What would be decided of recent alerts now, and by what. @param canTest whether this browser has pushes to try. */
export function PreviewPanel({ canTest }: { canTest: boolean }) {
  const preview = useQuery(previewQuery);
  const { steps, isBusy, run } = usePushTest();
  const last = steps.at(-1);
  return (
    <Panel
      title={texts.ifThisHadComeNow}
      actions={canTest && <LastingButton text={pageTexts.sendTest} isOff={isBusy} onClick={run} />}
      hint={
        last && (
          <output>
            {last.state === 'failed'
              ? `${last.name}: ${last.detail ?? 'failed'}`
              : isBusy
                ? texts.sendingTest
                : texts.testReachedThisDevice}
          </output>
        )
      }
    >
      <WhenLoaded what={texts.recentAlerts} queries={[preview]}>
        {preview.data?.alerts.length === 0 ? (
          <p className={styles.empty}>{pageTexts.noAlertsYet}</p>
        ) : (
          <ul className={panelStyles.rows} aria-label={texts.ifThisHadComeNowList}>
            {preview.data?.alerts.map((alert) => (
              <PreviewRow key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </Panel>
  );
}

function PreviewRow({ alert }: { alert: PreviewedAlert }) {
  const { title, customer, verdict } = alert;
  const isNotified = verdict === 'yes';
  const headline = inertLine(title ?? customer ?? pageTexts.alertWithoutTitle);
  const why = reasonOf(alert);
  return (
    <li className={`${panelStyles.row} ${styles.preview}`}>
      <SeverityMark severity={alert.severity} state={alert.state} />
      <span className="ad-hidden">{problemLabel(alert)}: </span>
      <span className={styles.words}>
        <span className={styles.exceptionName} dir="auto" data-tip={headline}>
          {headline}
        </span>
        <span className={styles.muted} dir="auto">
          {title !== null && customer !== null && inertLine(customer)}
        </span>
      </span>
      <span className={styles.answer}>
        <span className={isNotified ? styles.notified : styles.quiet}>{isNotified ? texts.notified : texts.quiet}</span>
        <span className={styles.muted} data-tip={why}>
          {why}
        </span>
      </span>
    </li>
  );
}

/** Why an alert is below a level for all. */
const BELOW: Record<Exclude<NoticeLevel, 'always'>, string> = {
  high: texts.belowHigh,
  critical: texts.notCritical,
  mine: texts.notMine,
  never: texts.nothing,
};

/** What decides about an alert: quiet hours, a pause, an exception by its name, or the choice for all. */
function reasonOf({ verdict, level, by, name }: PreviewedAlert): string {
  if (verdict === 'paused') return 'paused';
  if (verdict === 'quiet') return texts.quietHours;
  if (by !== 'all') return `${inertLine(name ?? '')}: ${levelLabel(by, level)}`;
  return verdict === 'yes' || level === 'always' ? LEVEL_LABELS[level] : BELOW[level];
}
