import { HISTORY } from '#renderer/alerts/actions/look.ts';
import { DragHandle } from '#renderer/alerts/drag/drag-handle.tsx';
import type { CardDescription } from './alert-card.tsx';
import { StatusSwitcher } from './status-switcher.tsx';
import * as styles from './queue-card.module.css';

/** An alert of the member's queue or of a folder. */
export const QUEUE_CARD: CardDescription = {
  kind: 'queue',
  variant: 'queue',
  className: styles.card_queue,
  isNew: () => false,
  buttons: [HISTORY],
  areQuiet: true,
  hasMenu: true,
  Start: DragHandle,
  End: StatusSwitcher,
};
