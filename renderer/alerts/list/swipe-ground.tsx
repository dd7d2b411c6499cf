import { TickIcon } from '@blueprintjs/icons';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { DELETE } from '#renderer/alerts/actions/delete.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as styles from './swipe.module.css';

/** What a swipe to the left reveals, in this order. */
export const REVEALED: readonly AlertAction[] = [SNOOZE, ASSIGN, DELETE];

interface SwipeGroundProps {
  /** The actions stay in view, and can be used. */
  isOpen: boolean;
  /** Id of the element that names the card. */
  labelId: string;
  onAct: (action: AlertAction) => void;
}

/** What stands below a card that is swiped: that it is accepted, and the further actions. */
export function SwipeGround({ isOpen, labelId, onAct }: SwipeGroundProps) {
  return (
    <div className={styles.swipe}>
      <span className={styles.accept} aria-hidden>
        <TickIcon size={18} />
        {texts.accept}
      </span>
      <div className={styles.actions}>
        {REVEALED.map((action) => (
          <button
            key={action.id}
            type="button"
            className={classNames(styles.action, styles[`action_${action.id}`])}
            tabIndex={isOpen ? 0 : -1}
            aria-describedby={labelId}
            onClick={() => onAct(action)}
          >
            {action.Icon && <action.Icon size={18} />}
            {action.label}
          </button>
        ))}
      </div>
    </div>
  );
}
