import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import { DELETE } from '#renderer/alerts/actions/delete.ts';
import { HISTORY } from '#renderer/alerts/actions/look.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import { WAKE_NOW } from '#renderer/alerts/actions/wake.ts';
import type { CardDescription } from './alert-card.tsx';
import * as styles from './alert-card.module.css';

/** A pending alert in the inbox. */
export const INBOX_CARD: CardDescription = {
  kind: 'inbox',
  variant: 'inbox',
  className: styles.card_inbox,
  isNew: () => true,
  primary: ACCEPT,
  buttons: [DELETE, SNOOZE],
  areQuiet: true,
  hasMenu: true,
};

/** A snoozed alert: of the inbox, or the member's own. */
export const SNOOZED_CARD: CardDescription = {
  ...INBOX_CARD,
  kind: 'snoozed',
  isNew: isEverybodys,
  primary: WAKE_NOW,
  buttons: [HISTORY, SNOOZE],
};
