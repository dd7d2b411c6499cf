import { Button } from '@blueprintjs/core';
import { HistoryIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { STATUS_WORDS } from '#renderer/lib/alerts/status-words.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { AlertLead } from '#renderer/ui/alert-card/alert-lead.tsx';
import { AlertTime } from '#renderer/ui/alert-card/alert-time.tsx';
import { cardFieldsOf } from '#renderer/ui/alert-card/card-fields-of.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { FieldsZone } from '#renderer/ui/alert-card/fields-zone.tsx';
import { MoreButton } from '#renderer/ui/alert-card/more-button.tsx';
import '#renderer/ui/alert-card/alert-card.css';

interface ReadOnlyCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onMore: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

/** Anybody's alert, read-only: its status, its owner and its history. */
export const ReadOnlyCard = memo(function ReadOnlyCard(props: ReadOnlyCardProps) {
  const { alert, layout, labelId, onMore, onHistory } = props;
  const { shown, extra } = cardFieldsOf(alert);
  return (
    <div className={`ad-card ad-card--all ad-card--${layout.kind}`}>
      <AlertLead alert={alert} id={labelId} isNew={false} />
      <FieldsZone fields={shown} layout={layout} />
      <AlertTime timestamp={alert.timestamp} />
      <div className="ad-all-state">
        <span className={`ad-all-status-tag ad-all-status-tag--${alert.status}`}>{STATUS_WORDS[alert.status]}</span>
        <Owner alert={alert} />
      </div>
      <div className="ad-card-actions">
        <Button
          className="ad-card-icon"
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
      </div>
    </div>
  );
});

function Owner({ alert: { ownerId, ownerName } }: { alert: Alert }) {
  if (ownerId === undefined) return <span className="ad-badge">Unassigned</span>;
  const name = ownerName === undefined ? '' : inertLine(ownerName);
  return (
    <span className="ad-all-owner">
      <span className="ad-badge">Assigned</span>
      {name !== '' && (
        <span className="ad-all-owner-name" data-tip={name}>
          <bdi>{name}</bdi>
        </span>
      )}
    </span>
  );
}
