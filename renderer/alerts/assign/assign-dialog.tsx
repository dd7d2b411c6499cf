import type { Alert } from '#backend/contract/alert.ts';
import type { Colleague } from '#backend/contract/assignment.ts';
import { useBulkActions } from '#renderer/alerts/bulk/use-bulk-actions.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { PeopleChoice } from './people.tsx';
import * as styles from './assign.module.css';

interface AssignDialogProps {
  alert: Alert;
  presence: DialogPresence;
}

/** Asks to whom an alert is to be given, and gives it: the first Enter goes to who has fewest. */
export function AssignDialog({ alert, presence }: AssignDialogProps) {
  const act = useBulkActions();
  const ifOwner = alert.ownerId ?? 'none';
  const select = ({ id, displayName }: Colleague): void => {
    presence.onClose();
    act({ action: 'assign', to: { id, displayName }, ifOwner }, { kind: 'ids', ids: [alert.id] }, [alert]);
  };
  return (
    <DescribedDialog
      {...presence}
      className={styles.assign}
      title="Assign this alert"
      subtitle="Status, notes and history go along. Notified once, and can hand back."
    >
      <AlertSubject alert={alert} />
      <PeopleChoice except={ifOwner} onSelect={select} takesFocus />
    </DescribedDialog>
  );
}
