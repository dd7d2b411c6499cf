import { Button } from '@blueprintjs/core';
import { HistoryIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import type { Alert, WorkStatus } from '#backend/contract/alert.ts';
import type { AlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import { DragHandle } from '#renderer/ui/drag/drag-handle.tsx';
import { AlertLead } from './alert-lead.tsx';
import { AlertTime } from './alert-time.tsx';
import { cardFieldsOf } from './card-fields-of.ts';
import type { CardLayout } from './card-layout.ts';
import { CardMenu } from './card-menu.tsx';
import { FieldsZone } from './fields-zone.tsx';
import { MoreButton } from './more-button.tsx';
import { StatusSwitcher } from './status-switcher.tsx';
import './alert-card.css';

interface QueueCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onStatus: (alert: Alert, status: WorkStatus) => void;
  onUnaccept: (alert: Alert) => void;
  onMove: AlertActions['move'];
  /** Absent for members who may not delete from a queue. */
  onDelete: ((alert: Alert) => void) | undefined;
  onMore: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

/** An alert of the member's queue or of a folder. */
export const QueueCard = memo(function QueueCard(props: QueueCardProps) {
  const { alert, layout, labelId, onStatus, onUnaccept, onMove, onDelete, onMore, onHistory } = props;
  const { shown, extra } = cardFieldsOf(alert);
  return (
    <div className={`ad-card ad-card--queue ad-card--${layout.kind}`}>
      <DragHandle alert={alert} labelId={labelId} />
      <AlertLead alert={alert} id={labelId} isNew={false} />
      <FieldsZone fields={shown} layout={layout} />
      <div className="ad-card-end">
        <AlertTime timestamp={alert.timestamp} />
        <div className="ad-card-actions">
          <Button
            className="ad-card-icon ad-card-quiet"
            variant="minimal"
            icon={<HistoryIcon size={14} />}
            aria-label="Alert history"
            aria-describedby={labelId}
            aria-haspopup="dialog"
            data-tip="Alert history"
            data-tip-always
            onClick={() => onHistory(alert)}
          />
          <MoreButton count={extra.length} onSelect={() => onMore(alert)} />
          <CardMenu alert={alert} labelId={labelId} onUnaccept={onUnaccept} onMove={onMove} onDelete={onDelete} />
        </div>
        <StatusSwitcher alert={alert} onChange={onStatus} labelId={labelId} />
      </div>
    </div>
  );
});
