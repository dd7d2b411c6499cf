import { Checkbox } from '@blueprintjs/core';
import { ChevronRightIcon, RepeatIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import { formatLogTime } from '#renderer/features/sources/shown/ages.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { formatBytes, formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { OUTCOME_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { OutcomeLabel } from '#renderer/features/sources/shown/dot-labels.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './delivery-table.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';

interface DeliveryRowProps {
  delivery: DeliverySummary;
  /** Address of its page, in the filter that is set. */
  to: string;
  isSelected: boolean;
  onToggle: (id: string, isRange: boolean) => void;
}

/** A delivery: when, its outcome, what happened in one sentence, and its figures. The row leads to its page. */
export const DeliveryRow = memo(function DeliveryRow({ delivery, to, isSelected, onToggle }: DeliveryRowProps) {
  const { id, receivedAt, outcome, alerts, newAlerts, status, size, durationMs, replayOf } = delivery;
  const time = new Date(receivedAt);
  const shownTime = useNow((now) => formatLogTime(time, now));
  const ago = useNow((now) => formatAgoInHours(time, now));
  const summary = inertLine(delivery.summary);
  const more = moreOf(delivery);
  return (
    <tr className={classNames(styles.row, tableStyles.row, isSelected && styles.row_selected)}>
      <td className={styles.check}>
        <Checkbox
          checked={isSelected}
          aria-label={texts.selectDelivery(OUTCOME_LABELS[outcome], shownTime)}
          onClick={(event) => onToggle(id, event.shiftKey)}
          onChange={() => undefined}
        />
      </td>
      <td className={styles.time}>
        <time dateTime={receivedAt} data-tip={formatExactTime(time)} data-tip-always>
          {shownTime}
        </time>
        {ago !== undefined && <span className={styles.ago}>{ago}</span>}
      </td>
      <td className={styles.outcome}>
        <OutcomeLabel outcome={outcome} />
      </td>
      <td className={styles.what}>
        {replayOf !== null && (
          <span className={`${panelStyles.badge} ${styles.replayed}`}>
            <RepeatIcon size={12} />
            {texts.replayed}
          </span>
        )}
        <Link className={`${styles.link} ${tableStyles.rowLink}`} to={to} dir="auto" data-tip={summary}>
          {summary}
        </Link>
        {more !== '' && <span className={styles.more}>{more}</span>}
      </td>
      <td className={styles.alerts}>{newAlerts > 0 ? texts.newAlerts(newAlerts) : alerts > 0 ? alerts : ''}</td>
      <td className={classNames(styles.status, outcome === 'refused' && styles.status_refused)}>{status}</td>
      <td className={styles.size}>{formatBytes(size)}</td>
      <td className={styles.took}>{formatTook(durationMs)}</td>
      <td className={styles.open}>
        <ChevronRightIcon />
      </td>
    </tr>
  );
});

/** What follows the sentence: further alerts, or where a request without alerts came from. */
function moreOf({ outcome, alerts, remoteAddress }: DeliverySummary): string {
  if (alerts > 1) return texts.andMore(alerts - 1);
  return outcome === 'refused' || outcome === 'handshake' ? texts.fromAddress(remoteAddress) : '';
}
