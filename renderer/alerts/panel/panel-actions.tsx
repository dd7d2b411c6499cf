import { Button } from '@blueprintjs/core';
import { TrashIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { useAssignOne } from '#renderer/alerts/assign/assign-request.ts';
import { CardMenu } from '#renderer/alerts/card/card-menu.tsx';
import { StatusSwitcher } from '#renderer/alerts/card/queue-card.tsx';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import { useAlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { SnoozeButton } from '#renderer/alerts/snooze/snooze-button.tsx';
import { keyLabel } from '#renderer/alerts/keys/key-table.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { MuteButton } from '#renderer/mutes/mute-item.tsx';
import { useSession } from '#renderer/session/session.ts';
import { KeyCap } from './panel-bar.tsx';

/** Names the alert to the buttons. */
const LABEL = 'ad-panel-label';

/** What the reader can do with the open alert: accept it, or work on it when it is theirs. */
export function PanelActions({ alert, onRemoved }: { alert: Alert; onRemoved: () => void }) {
  const me = useSession();
  const { accept, unaccept, setStatus, snooze, wake, move, remove } = useAlertActions();
  const assign = useAssignOne();
  const seesAll = ADMIN_ROLES.includes(me.role);
  const isMine = alert.ownerId === me.id;
  const isPending = alert.status === 'pending';
  const canSnooze = maySnooze(alert, me.id);
  const removeIt = (): void => {
    onRemoved();
    remove(alert);
  };
  if (!isPending && !isMine && !seesAll) return null;
  return (
    <div className="ad-panel-actions">
      {isPending && (
        <Button
          intent="primary"
          text="Accept"
          endIcon={<KeyCap label="A" isOnAccent />}
          aria-keyshortcuts="A"
          onClick={() => accept(alert)}
        />
      )}
      {isMine && <StatusSwitcher alert={alert} labelId={LABEL} onChange={setStatus} />}
      {alert.snoozedUntil !== undefined && canSnooze && (
        <Button text="Wake now" endIcon={<KeyCap label="W" />} aria-keyshortcuts="W" onClick={() => wake(alert)} />
      )}
      <Button
        text="Assign"
        endIcon={<KeyCap label={keyLabel('assign')} />}
        aria-keyshortcuts="Shift+A"
        onClick={() => assign(alert)}
      />
      <span className="ad-panel-actions-space" />
      {isPending && <MuteButton alert={alert} />}
      {canSnooze && <SnoozeButton alert={alert} labelId={LABEL} className="ad-panel-icon" onSnooze={snooze} />}
      {isPending ? (
        <Button
          variant="minimal"
          icon={<TrashIcon />}
          aria-label="Delete"
          data-tip="Delete"
          data-tip-always
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
