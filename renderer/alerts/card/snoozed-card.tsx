import { isEverybodys } from '#backend/contract/alert-place.ts';
import { Button } from '@blueprintjs/core';
import { memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { SnoozeButton } from '#renderer/alerts/snooze/snooze-button.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from './card-layout.ts';
import { AlertLead, AlertTime, HistoryButton, MoreButton, cardClass } from './card-parts.tsx';
import { CompactCard } from './compact-card.tsx';
import { FieldsZone } from './fields-zone.tsx';
import * as styles from './alert-card.module.css';

interface SnoozedCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onWake: AlertActions['wake'];
  onSnooze: AlertActions['snooze'];
  onMore: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

/** A snoozed alert: of the inbox, or the member's own. */
export const SnoozedCard = memo(function SnoozedCard(props: SnoozedCardProps) {
  const { alert, layout, labelId, onWake, onSnooze, onMore, onHistory } = props;
  const isNew = isEverybodys(alert);
  const hints = useKeyHints();
  const wake = (
    <Button
      className={`${styles.accept} ${styles.wake}`}
      text="Wake now"
      aria-describedby={labelId}
      {...hints.aria('wake')}
      onClick={() => onWake(alert)}
    />
  );
  const { shown, extra } = useCardFields(alert);
  if (layout.kind === 'compact') return <CompactCard alert={alert} labelId={labelId} isNew={isNew} end={wake} />;
  const isLine = alert.title !== null && layout.kind !== 'stacked';
  const more = <MoreButton count={extra.length} onSelect={() => onMore(alert)} />;
  return (
    <div className={cardClass(alert, layout.kind, styles.card_inbox)}>
      <AlertLead alert={alert} id={labelId} isNew={isNew} />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      <AlertTime alert={alert} isNew={isNew} />
      <div className={styles.actions}>
        <div className={styles.quiets}>
          <HistoryButton alert={alert} labelId={labelId} isQuiet onHistory={onHistory} />
          <SnoozeButton
            alert={alert}
            labelId={labelId}
            className={`${styles.icon} ${styles.quiet}`}
            onSnooze={onSnooze}
          />
        </div>
        {!isLine && more}
        {wake}
      </div>
    </div>
  );
});
