import { isEverybodys } from '#backend/contract/alert-place.ts';
import { Button } from '@blueprintjs/core';
import { TrashIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { useAssignOne } from '#renderer/alerts/assign/use-assign-one.ts';
import { CardMenu } from '#renderer/alerts/card/card-menu.tsx';
import { StatusSwitcher } from '#renderer/alerts/card/queue-card.tsx';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import { useAlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { SnoozeButton } from '#renderer/alerts/snooze/snooze-button.tsx';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { MuteButton } from '#renderer/mutes/mute-item.tsx';
import { useSession } from '#renderer/session/session.ts';
import * as styles from './alert-panel.module.css';

/** Names the alert to the buttons. */
const LABEL = 'ad-alert-panel-label';

/** What the reader can do with the open alert: accept it, or work on it when it is theirs. */
export function PanelActions({ alert, onRemoved }: { alert: Alert; onRemoved: () => void }) {
  const me = useSession();
  const { accept, unaccept, setStatus, snooze, wake, move, remove } = useAlertActions();
  const assign = useAssignOne();
  const hints = useKeyHints();
  const seesAll = ADMIN_ROLES.includes(me.role);
  const isMine = alert.ownerId === me.id;
  const isPending = isEverybodys(alert);
  const canSnooze = maySnooze(alert, me.id);
  const removeIt = (): void => {
    onRemoved();
    remove(alert);
  };
  if (!isPending && !isMine && !seesAll) return null;
  return (
    <div className={styles.actions}>
      {isPending && (
        <Button
          intent="primary"
          text="Accept"
          endIcon={hints.cap('accept', true)}
          {...hints.aria('accept')}
          onClick={() => accept(alert)}
        />
      )}
      {isMine && <StatusSwitcher alert={alert} labelId={LABEL} onChange={setStatus} />}
      {alert.snoozedUntil !== undefined && canSnooze && (
        <Button text="Wake now" endIcon={hints.cap('wake')} {...hints.aria('wake')} onClick={() => wake(alert)} />
      )}
      <Button text="Assign" endIcon={hints.cap('assign')} {...hints.aria('assign')} onClick={() => assign(alert)} />
      <span className={styles.actionsSpace} />
      {isPending && <MuteButton alert={alert} />}
      {canSnooze && <SnoozeButton alert={alert} labelId={LABEL} onSnooze={snooze} />}
      {isPending ? (
        <Button
          variant="minimal"
          icon={<TrashIcon />}
          aria-label="Delete"
          {...hints.tip('delete', 'Delete')}
          onClick={removeIt}
        />
      ) : (
        <CardMenu
          alert={alert}
          labelId={LABEL}
          onUnaccept={unaccept}
          onMove={isMine ? move : undefined}
          onDelete={seesAll ? removeIt : undefined}
        />
      )}
    </div>
  );
}
