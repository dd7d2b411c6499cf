import { PersonIcon, TickIcon, TimeIcon, TrashIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import type { KeyAction } from '#renderer/alerts/keys/key-table.ts';
import classNames from 'classnames';
import * as styles from './swipe.module.css';

/** What a swipe to the left may reveal. */
export type RevealedAction = Extract<KeyAction, 'snooze' | 'assign' | 'delete'>;

const LOOKS: Record<RevealedAction, { label: string; icon: ReactNode }> = {
  snooze: { label: 'Snooze', icon: <TimeIcon size={18} /> },
  assign: { label: 'Assign', icon: <PersonIcon size={18} /> },
  delete: { label: 'Delete', icon: <TrashIcon size={18} /> },
};

interface SwipeGroundProps {
  accepts: boolean;
  actions: readonly RevealedAction[];
  /** The actions stay in view, and can be used. */
  isOpen: boolean;
  /** Id of the element that names the card. */
  labelId: string;
  onAct: (action: RevealedAction) => void;
}

/** What stands below a card that is swiped: that it is accepted, and the further actions. */
export function SwipeGround({ accepts, actions, isOpen, labelId, onAct }: SwipeGroundProps) {
  return (
    <div className={styles.swipe}>
      {accepts && (
        <span className={styles.accept} aria-hidden>
          <TickIcon size={18} />
          Accept
        </span>
      )}
      <div className={styles.actions}>
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            className={classNames(styles.action, styles[`action_${action}`])}
            tabIndex={isOpen ? 0 : -1}
            aria-describedby={labelId}
            onClick={() => onAct(action)}
          >
            {LOOKS[action].icon}
            {LOOKS[action].label}
          </button>
        ))}
      </div>
    </div>
  );
}
