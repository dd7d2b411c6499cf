import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { ChevronRightIcon } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { Delivery } from '#backend/contract/delivery.ts';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import { formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { EVENT_LABELS, OUTCOME_LABELS, eventsSentence } from '#renderer/features/sources/shown/outcome-labels.ts';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as styles from './outcome-panel.module.css';

interface OutcomePanelProps {
  delivery: Delivery;
  /** Index of the event that is looked at. */
  chosen: number;
  onChoose: (index: number) => void;
}

/** What became of a delivery, and one row for each of its alerts. */
export function OutcomePanel({ delivery, chosen, onChoose }: OutcomePanelProps) {
  const { results, status, durationMs, sender, recognisedBy, outcome } = delivery;
  const made = eventsSentence(results.map((result) => result.outcome));
  const what = made === '' ? OUTCOME_LABELS[outcome] : made;
  return (
    <section className={panelStyles.panel} aria-label={texts.outcome}>
      <div className={styles.outcomeHead}>
        <h2>{texts.answeredAfter(what.charAt(0).toUpperCase() + what.slice(1), status, formatTook(durationMs))}</h2>
        {results.length === 0 && <p>{inertLine(delivery.summary)}</p>}
        {sender !== null && (
          <p>
            {texts.detectedAs(SENDERS[sender].name, recognisedBy === null ? '.' : ': ')}
            {recognisedBy !== null && <RichText text={recognisedBy} />}
          </p>
        )}
      </div>
      {results.length > 0 && (
        <ol>
          {keyed(results).map(({ key, item: { outcome: done, title, alertId, occurrences } }) => {
            const place = Number(key);
            return (
              <li
                key={key}
                className={classNames(styles.event, styles[`event_${done}`], place === chosen && styles.event_chosen)}
              >
                <span className={styles.number}>{place + 1}</span>
                <span className={classNames(sourcesStyles.outcome, styles.outcome, styles[`outcome_${done}`])}>
                  <span className={sourcesStyles.dot} />
                  {EVENT_LABELS[done]}
                </span>
                <button
                  type="button"
                  className={`${styles.title} ${tableStyles.rowLink}`}
                  aria-pressed={place === chosen}
                  dir="auto"
                  data-tip={title === null ? undefined : inertLine(title)}
                  onClick={() => onChoose(place)}
                >
                  {title === null ? texts.alertWithoutTitle : inertLine(title)}
                </button>
                {occurrences > 1 && <span className={styles.count}>×{occurrences}</span>}
                {alertId !== null && (
                  <Link className={styles.alert} to={pathOfAlert(alertId)}>
                    {texts.alert}
                    <ChevronRightIcon size={14} />
                  </Link>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
