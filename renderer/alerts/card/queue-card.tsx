import { SegmentedControl } from '@blueprintjs/core';
import { memo } from 'react';
import { type Alert, type WorkStatus, workStatusSchema } from '#backend/contract/alert.ts';
import { STATUS_LABELS, WORK_STATUSES } from '#renderer/alerts/data/alert-labels.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { DragHandle } from '#renderer/alerts/drag/drag-handle.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from './card-layout.ts';
import { CardMenu } from './card-menu.tsx';
import { AlertLead, AlertTime, HistoryButton, MoreButton, StatusDot, StatusTag, cardClass } from './card-parts.tsx';
import { CompactCard } from './compact-card.tsx';
import { FieldsZone } from './fields-zone.tsx';
import * as alertCardStyles from './alert-card.module.css';
import * as styles from './queue-card.module.css';
import * as statusStyles from './status.module.css';
import * as statusSwitcherStyles from './status-switcher.module.css';

interface QueueCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onStatus: (alert: Alert, status: WorkStatus) => void;
  onUnaccept: (alert: Alert) => void;
  onSnooze: AlertActions['snooze'];
  onMove: AlertActions['move'];
  /** Absent for members who may not delete from a queue. */
  onDelete: ((alert: Alert) => void) | undefined;
  onMore: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

/** An alert of the member's queue or of a folder. */
export const QueueCard = memo(function QueueCard(props: QueueCardProps) {
  const { alert, layout, labelId, onStatus, onUnaccept, onSnooze, onMove, onDelete, onMore, onHistory } = props;
  const { shown, extra } = useCardFields(alert);
  if (layout.kind === 'compact') {
    return <CompactCard alert={alert} labelId={labelId} end={<StatusTag status={alert.status} />} />;
  }
  const isLine = alert.title !== null && layout.kind !== 'stacked';
  const more = <MoreButton count={extra.length} onSelect={() => onMore(alert)} />;
  return (
    <div className={cardClass(alert, layout.kind, styles.card_queue)}>
      <DragHandle alert={alert} labelId={labelId} />
      <AlertLead alert={alert} id={labelId} isNew={false} />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      <div className={styles.end}>
        <AlertTime alert={alert} />
        <div className={alertCardStyles.actions}>
          <HistoryButton alert={alert} labelId={labelId} isQuiet onHistory={onHistory} />
          {!isLine && more}
          <CardMenu
            alert={alert}
            labelId={labelId}
            onUnaccept={onUnaccept}
            onSnooze={onSnooze}
            onMove={onMove}
            onDelete={onDelete}
          />
        </div>
        <StatusSwitcher alert={alert} onChange={onStatus} labelId={labelId} />
      </div>
    </div>
  );
});

const OPTIONS = WORK_STATUSES.map((value) => ({
  value,
  label: STATUS_LABELS[value],
  icon: <StatusDot />,
  className: statusStyles[`status_${value}`],
}));

interface StatusSwitcherProps {
  alert: Alert;
  labelId: string;
  onChange: (alert: Alert, status: WorkStatus) => void;
}

/** Accepted, In Progress, Completed: any from any. The active one carries its colour, dot and label. */
export function StatusSwitcher({ alert, labelId, onChange }: StatusSwitcherProps) {
  return (
    <div className={styles.status}>
      <SegmentedControl
        className={statusSwitcherStyles.status}
        fill
        size="small"
        options={OPTIONS}
        value={alert.status}
        onValueChange={(value) => onChange(alert, workStatusSchema.parse(value))}
        aria-label="Status"
        aria-describedby={labelId}
      />
    </div>
  );
}
