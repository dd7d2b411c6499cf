import { Button } from '@blueprintjs/core';
import { PersonIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import {
  AlertLead,
  AlertTime,
  HistoryButton,
  MoreButton,
  StatusTag,
  cardClass,
} from '#renderer/alerts/card/card-parts.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import { CompactCard } from '#renderer/alerts/card/compact-card.tsx';
import { FieldsZone } from '#renderer/alerts/card/fields-zone.tsx';
import * as alertCardStyles from './alert-card.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './read-only-card.module.css';

interface ReadOnlyCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onMore: (alert: Alert) => void;
  onAssign: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

/** Anybody's alert, which is read, and given to somebody: its status, its owner and its history. */
export const ReadOnlyCard = memo(function ReadOnlyCard(props: ReadOnlyCardProps) {
  const { alert, layout, labelId, onMore, onAssign, onHistory } = props;
  const { shown, extra } = useCardFields(alert);
  if (layout.kind === 'compact') {
    return <CompactCard alert={alert} labelId={labelId} end={<StatusTag status={alert.status} />} />;
  }
  const isLine = alert.title !== null && layout.kind !== 'stacked';
  const more = <MoreButton count={extra.length} onSelect={() => onMore(alert)} />;
  return (
    <div className={cardClass(alert, layout.kind, styles.card_all)}>
      <AlertLead alert={alert} id={labelId} isNew={false} />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      <AlertTime alert={alert} />
      <div className={styles.state}>
        <StatusTag status={alert.status} />
        <Owner alert={alert} />
      </div>
      <div className={alertCardStyles.actions}>
        <Button
          className={alertCardStyles.icon}
          variant="minimal"
          icon={<PersonIcon size={14} />}
          aria-label="Assign"
          aria-describedby={labelId}
          aria-haspopup="dialog"
          data-tip="Assign"
          data-tip-always
          onClick={() => onAssign(alert)}
        />
        <HistoryButton alert={alert} labelId={labelId} hasKey={false} onHistory={onHistory} />
        {!isLine && more}
      </div>
    </div>
  );
});

function Owner({ alert: { ownerId, ownerName } }: { alert: Alert }) {
  if (ownerId === undefined) return <span className={panelStyles.badge}>Unassigned</span>;
  const name = ownerName === undefined ? '' : inertLine(ownerName);
  return (
    <span className={styles.owner}>
      <span className={panelStyles.badge}>Assigned</span>
      {name !== '' && (
        <span className={styles.ownerName} data-tip={name}>
          <bdi>{name}</bdi>
        </span>
      )}
    </span>
  );
}
