import { Button } from '@blueprintjs/core';
import { type ComponentType, memo, useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { ActionButton, ActionMenuButton } from '#renderer/alerts/actions/action-button.tsx';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import type { Actions } from '#renderer/alerts/actions/change-alert.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import classNames from 'classnames';
import type { CardLayout, CardVariant } from './card-layout.ts';
import {
  AlertTime,
  CardFacts,
  CardLead,
  CardTitle,
  MoreButton,
  StatusTag,
  cardClass,
  useIsMuted,
} from './card-parts.tsx';
import { CompactCard } from './compact-card.tsx';
import { estimateLead, fitFields } from './field-layout.ts';
import { FieldsZone } from './fields-zone.tsx';
import { SeverityMark } from './severity-mark.tsx';
import * as styles from './alert-card.module.css';

/** What stands on a card between its time and its buttons. */
export interface CardEndProps {
  alert: Alert;
  actions: Actions;
  labelId: string;
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
  const fields = useCardFields(alert);
  const isMuted = useIsMuted(alert);
  const { shown, extra } = useMemo(
    () => fitFields(fields, layout, estimateLead(alert, isMuted)),
    [fields, layout, alert, isMuted],
  );
  const { primary, Start, End } = card;
  const isNew = card.isNew(alert);
  const main = primary && (
    <Button
      className={styles.accept}
      text={primary.label}
      aria-describedby={labelId}
      {...hints.tip(primary, primary.label)}
      onClick={() => actions.run(primary, alert)}
    />
  );
  if (layout.kind === 'compact') {
    const end = main ?? <StatusTag status={alert.status} />;
    return <CompactCard alert={alert} layout={layout} labelId={labelId} isNew={isNew} end={end} />;
  }
  const openExtra = (): void => actions.context.ask(loadExtra, { alert, fields: extra });
  // A phone has space for the menu alone.
  const isFolded = layout.kind === 'stacked' && card.hasMenu;
  const icon = `${styles.icon} ${card.areQuiet ? styles.quiet : ''}`;
  return (
    <div className={cardClass(alert, layout, card.className)}>
      {Start && <Start alert={alert} labelId={labelId} />}
      <SeverityMark severity={alert.severity} state={alert.state} />
      <CardTitle alert={alert} id={labelId} isNew={isNew}>
        <CardFacts alert={alert} isShort={layout.kind === 'stacked'} />
      </CardTitle>
      <CardLead alert={alert} />
      <FieldsZone fields={shown} />
      {!isFolded && <MoreButton count={extra.length} onSelect={openExtra} />}
      <AlertTime alert={alert} isNew={isNew} />
      {End && <End alert={alert} actions={actions} labelId={labelId} />}
      <div className={classNames(styles.quiets, card.hasMenu && styles.quiets_menu)}>
        {!isFolded &&
          card.buttons
            .filter((action) => actions.offers(action, alert))
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
            ))}
        {card.hasMenu && (
          <ActionMenuButton
            alert={alert}
            actions={actions}
            labelId={labelId}
            className={main ? icon : styles.icon}
            {...(isFolded && extra.length > 0 && { extra: { count: extra.length, onSelect: openExtra } })}
          />
        )}
      </div>
      {main && <div className={styles.main}>{main}</div>}
    </div>
  );
});
