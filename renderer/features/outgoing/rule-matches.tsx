import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { OutgoingEvent, OutgoingRule } from '#backend/contract/outgoing.ts';
import type { RulePreview } from '#backend/contract/outgoing-rule-preview.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { COUNT_MS, weekQuery } from '#renderer/alerts/search/counted-search.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { formatCardTime, writeTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { Bars } from './destination-marks.tsx';
import { rulePreviewQuery } from './outgoing-data.ts';
import { countOf } from './rule-search.tsx';
import * as texts from './rules-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Hours of a bar. */
const BAR_HOURS = 6;
const DAYS_MS = 7 * 24 * 3_600_000;

/** What a rule would have sent in seven days, and the newest alerts that it is about. */
export function RuleMatches({ rule }: { rule: Pick<OutgoingRule, 'search' | 'events' | 'destinationIds'> }) {
  const settled = useSettled(JSON.stringify([rule.search, rule.events, rule.destinationIds]), COUNT_MS);
  const [search, events, destinationIds] = JSON.parse(settled) as [string, OutgoingEvent[], string[]];
  const { data } = useQuery(weekQuery(search));
  const { data: preview } = useQuery(rulePreviewQuery({ search, events, destinationIds }));
  const messagesOf = new Map(preview?.newest.map(({ id, messages }) => [id, messages]));
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-rule-matches">
      <h2 id="ad-rule-matches" className={styles.sheetTitle}>
        {texts.last7Days}
      </h2>
      {data && preview && (
        <>
          <dl className={styles.figures}>
            <Figure label={texts.problems(data.total)}>{countOf(data)}</Figure>
            <Figure label={texts.messagesIn7Days}>{countText(sumOf(preview.hours))}</Figure>
            <Figure label={texts.inBusiestHour}>{countText(Math.max(0, ...preview.hours))}</Figure>
          </dl>
          <Chart preview={preview} />
        </>
      )}
      {data?.rows.length === 0 && <p className={styles.emptyMatches}>{texts.noAlertMatches}</p>}
      <ul className={panelStyles.rows}>
        {data?.rows.map((alert) => (
          <li key={alert.id} className={styles.matchRow}>
            <SeverityMark severity={alert.severity} state={alert.state} />
            <div className={styles.names}>
              <Link className={styles.name} dir="auto" to={pathOfAlert(alert.id)}>
                {inertLine(alertTitle(alert))}
              </Link>
              <span className={styles.small}>{formatCardTime(new Date(alert.timestamp))}</span>
            </div>
            <span className={styles.messagesOf}>{texts.messagesOfAlert(messagesOf.get(alert.id))}</span>
          </li>
        ))}
      </ul>
      {data && data.total > data.rows.length && (
        <Link
          className={styles.showAll}
          to={`${PATHS.allAlerts}?${new URLSearchParams({ search: `${search} from:7d` })}`}
        >
          {texts.showAll(countOf(data))}
        </Link>
      )}
    </section>
  );
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const Figure = ({ label, children }: { label: string; children: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** Messages of seven days, six hours in a bar. */
function Chart({ preview: { hours, isCut } }: { preview: RulePreview }) {
  const begin = useNow((now) => writeTime(new Date(now.getTime() - DAYS_MS), 'MMM d'));
  const bars = Array.from({ length: hours.length / BAR_HOURS }, (_, at) =>
    sumOf(hours.slice(at * BAR_HOURS, (at + 1) * BAR_HOURS)),
  );
  return (
    <div className={styles.chart}>
      <Bars counts={bars} labelOf={texts.messagesSaid} width={12} height={32} />
      <p className={styles.axis}>
        <span>{begin}</span>
        <span>{texts.now}</span>
      </p>
      <p className={styles.hint}>{isCut ? texts.previewCutHint : texts.previewHint}</p>
    </div>
  );
}
