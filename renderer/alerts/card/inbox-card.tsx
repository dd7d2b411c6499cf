import { Button, PopupKind } from '@blueprintjs/core';
import { MoreIcon, TrashIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { SnoozeButton } from '#renderer/alerts/snooze/snooze-button.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { AlertLead, AlertTime, MoreButton, cardClass } from './card-parts.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from './card-layout.ts';
import { CompactCard } from './compact-card.tsx';
import { FieldsZone } from './fields-zone.tsx';
import * as styles from './alert-card.module.css';

interface InboxCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  onAccept: (alert: Alert) => void;
  onDelete: (alert: Alert) => void;
  onSnooze: AlertActions['snooze'];
  onMore: (alert: Alert) => void;
  onHistory: (alert: Alert) => void;
}

const loadMenu = async () => (await import('./inbox-menu.tsx')).InboxMenu;

/** A pending alert in the inbox. */
export const InboxCard = memo(function InboxCard(props: InboxCardProps) {
  const { alert, layout, labelId, onAccept, onDelete, onSnooze, onMore, onHistory } = props;
  const hints = useKeyHints();
  const accept = (
    <Button
      className={styles.accept}
      text="Accept"
      aria-describedby={labelId}
      {...hints.tip('accept', 'Accept')}
      onClick={() => onAccept(alert)}
    />
  );
  const { shown, extra } = useCardFields(alert);
  if (layout.kind === 'compact') return <CompactCard alert={alert} labelId={labelId} isNew end={accept} />;
  const isLine = alert.title !== null && layout.kind !== 'stacked';
  const more = <MoreButton count={extra.length} onSelect={() => onMore(alert)} />;
  return (
    <div className={cardClass(alert, layout.kind, styles.card_inbox)}>
      <AlertLead alert={alert} id={labelId} isNew />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      <AlertTime alert={alert} isNew />
      <div className={styles.actions}>
        <div className={styles.quiets}>
          <Button
            className={`${styles.icon} ${styles.quiet}`}
            variant="minimal"
            icon={<TrashIcon size={14} />}
            aria-label="Delete"
            aria-describedby={labelId}
            {...hints.tip('delete', 'Delete')}
            onClick={() => onDelete(alert)}
          />
          {layout.kind !== 'stacked' && (
            <SnoozeButton
              alert={alert}
              labelId={labelId}
              className={`${styles.icon} ${styles.quiet}`}
              onSnooze={onSnooze}
            />
          )}
          <PopupButton
            placement="bottom-end"
            popupKind={PopupKind.MENU}
            onOpening={focusMenu}
            button={{
              className: `${styles.icon} ${styles.quiet}`,
              variant: 'minimal',
              icon: <MoreIcon size={14} />,
              'aria-label': 'More actions',
              'aria-describedby': labelId,
              'data-tip': 'More actions',
              'data-tip-always': true,
            }}
            load={loadMenu}
            content={{ alert, onSnooze, onHistory }}
          />
        </div>
        {!isLine && more}
        {accept}
      </div>
    </div>
  );
});
