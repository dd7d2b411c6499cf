import { Button } from '@blueprintjs/core';
import { type ComponentType, type ReactNode, memo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { ActionButton, ActionMenuButton } from '#renderer/alerts/actions/action-button.tsx';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import type { Actions } from '#renderer/alerts/actions/use-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout, CardVariant } from './card-layout.ts';
import { AlertLead, AlertTime, MoreButton, StatusTag, cardClass } from './card-parts.tsx';
import { CompactCard } from './compact-card.tsx';
import { FieldsZone } from './fields-zone.tsx';
import * as styles from './alert-card.module.css';

/** The end of a card, where that is more than its time and its buttons. */
export interface CardEndProps {
  alert: Alert;
  actions: Actions;
  labelId: string;
  time: ReactNode;
  buttons: ReactNode;
}

/** How the cards of one kind of list differ from others. */
export interface CardDescription {
  kind: ListKind;
  /** Which measures it has. */
  variant: CardVariant;
  className: string | undefined;
  /** Whether an alert is marked as new. */
  isNew: (alert: Alert) => boolean;
  /** The one thing that is usually done. */
  primary?: AlertAction;
  /** What else has a button of its own. */
  buttons: readonly AlertAction[];
  /** Whether these are shown only while the card is pointed at or has the focus. */
  areQuiet: boolean;
  /** Whether there is a menu with everything. */
  hasMenu: boolean;
  /** What stands before everything. */
  Start?: ComponentType<{ alert: Alert; labelId: string }>;
  End?: ComponentType<CardEndProps>;
}

interface AlertCardProps {
  alert: Alert;
  layout: CardLayout;
  /** Id of the element that names the card. */
  labelId: string;
  card: CardDescription;
  actions: Actions;
}

const loadExtra = async () =>
  (await import('#renderer/alerts/dialogs/extra-information-dialog.tsx')).ExtraInformationDialog;

/** An alert in a list. */
export const AlertCard = memo(function AlertCard({ alert, layout, labelId, card, actions }: AlertCardProps) {
  const hints = useKeyHints();
  const { shown, extra } = useCardFields(alert);
  const { primary, Start, End } = card;
  const isNew = card.isNew(alert);
  const main = primary && (
    <Button
      className={`${styles.accept} ${styles[`accept_${primary.id}`] ?? ''}`}
      text={primary.label}
      aria-describedby={labelId}
      {...hints.tip(primary, primary.label)}
      onClick={() => actions.run(primary, alert)}
    />
  );
  if (layout.kind === 'compact') {
    const end = main ?? <StatusTag status={alert.status} />;
    return <CompactCard alert={alert} labelId={labelId} isNew={isNew} end={end} />;
  }
  const isStacked = layout.kind === 'stacked';
  const isLine = alert.title !== null && !isStacked;
  const more = <MoreButton count={extra.length} onSelect={() => actions.context.ask(loadExtra, { alert })} />;
  const icon = `${styles.icon} ${card.areQuiet ? styles.quiet : ''}`;
  const buttons = card.buttons
    // There is no space for it on a phone; it is in the menu.
    .filter((action) => actions.offers(action, alert) && !(isStacked && card.hasMenu && action === SNOOZE))
    .map((action) => (
      <ActionButton
        key={action.id}
        action={action}
        alert={alert}
        actions={actions}
        labelId={labelId}
        className={icon}
        hasKey={card.kind !== 'all'}
      />
    ));
  const menu = card.hasMenu && (
    <ActionMenuButton alert={alert} actions={actions} labelId={labelId} className={main ? icon : styles.icon} />
  );
  const time = <AlertTime alert={alert} isNew={isNew} />;
  const bar = (
    <div className={styles.actions}>
      {main ? (
        <div className={styles.quiets}>
          {buttons}
          {menu}
        </div>
      ) : (
        buttons
      )}
      {!isLine && more}
      {main ?? menu}
    </div>
  );
  return (
    <div className={cardClass(alert, layout.kind, card.className)}>
      {Start && <Start alert={alert} labelId={labelId} />}
      <AlertLead alert={alert} id={labelId} isNew={isNew} />
      <FieldsZone fields={shown} layout={layout} isLine={isLine} />
      {isLine && more}
      {End ? (
        <End alert={alert} actions={actions} labelId={labelId} time={time} buttons={bar} />
      ) : (
        <>
          {time}
          {bar}
        </>
      )}
    </div>
  );
});
