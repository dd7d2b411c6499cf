import { useState } from 'react';
import type { Colleague } from '#backend/contract/assignment.ts';
import { formatCount } from '#renderer/alerts/bulk/bulk-labels.ts';
import { sizeOfChosen } from '#renderer/alerts/bulk/run-bulk.ts';
import { useBulkActions } from '#renderer/alerts/bulk/use-bulk-actions.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { AssignRequest } from './assign-request.ts';
import { PeopleChoice } from './people.tsx';
import * as styles from './assign.module.css';

interface AssignDialogProps {
  request: AssignRequest;
  onClosed: () => void;
}

/** Asks to whom alerts are to be given, and gives them: the first Enter goes to who has fewest. */
export function AssignDialog({ request, onClosed }: AssignDialogProps) {
  const act = useBulkActions();
  const [isOpen, setOpen] = useState(true);
  const { alerts, chosen, ifOwner, onChosen } = request;
  const count = sizeOfChosen(chosen);
  const select = ({ id, displayName }: Colleague): void => {
    setOpen(false);
    onChosen?.();
    act({ action: 'assign', to: { id, displayName }, ...(ifOwner !== undefined && { ifOwner }) }, chosen, alerts);
  };
  const [only] = alerts;
  return (
    <DescribedDialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
      className={styles.assign}
      title={count === 1 ? 'Assign this alert' : `Assign ${formatCount(count)} alerts`}
      subtitle="Status, notes and history go along. Notified once, and can hand back."
    >
      {count === 1 && only && <AlertSubject alert={only} />}
      <PeopleChoice except={ifOwner} onSelect={select} takesFocus />
    </DescribedDialog>
  );
}
