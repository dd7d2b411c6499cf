import { Button } from '@blueprintjs/core';
import { TrashIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { AlertLead, AlertTime, MoreButton, headlineClass } from './card-parts.tsx';
import { cardFieldsOf } from './card-fields.ts';
import type { CardLayout } from './card-layout.ts';
import { CompactCard } from './compact-card.tsx';
import { FieldsZone } from './fields-zone.tsx';

interface InboxCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onAccept: (alert: Alert) => void;
  onDelete: (alert: Alert) => void;
  onMore: (alert: Alert) => void;
}

/** A pending alert in the inbox. */
export const InboxCard = memo(function InboxCard(props: InboxCardProps) {
  const { alert, layout, labelId, onAccept, onDelete, onMore } = props;
  const accept = (
    <Button className="ad-card-accept" text="Accept" aria-describedby={labelId} onClick={() => onAccept(alert)} />
  );
  if (layout.kind === 'compact') return <CompactCard alert={alert} labelId={labelId} isNew end={accept} />;
  const { shown, extra } = cardFieldsOf(alert);
  const isLine = alert.title !== null && layout.kind !== 'stacked';
  const more = <MoreButton count={extra.length} onSelect={() => onMore(alert)} />;
  return (
    <div className={`ad-card ad-card--inbox ad-card--${layout.kind}${headlineClass(alert)}`}>
      <AlertLead alert={alert} id={labelId} isNew />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      <AlertTime alert={alert} isNew />
      <div className="ad-card-actions">
        <Button
          className="ad-card-icon ad-card-quiet"
          variant="minimal"
          icon={<TrashIcon size={14} />}
          aria-label="Delete"
          aria-describedby={labelId}
          data-tip="Delete"
          data-tip-always
          onClick={() => onDelete(alert)}
        />
        {!isLine && more}
        {accept}
      </div>
    </div>
  );
});
