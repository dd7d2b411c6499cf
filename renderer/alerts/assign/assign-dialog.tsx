import type { Alert } from '#backend/contract/alert.ts';
import type { Colleague } from '#backend/contract/assignment.ts';
import { changeAlert, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import { assignChange } from '#renderer/alerts/actions/changes.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { PeopleChoice } from './people.tsx';
import * as texts from './texts.ts';
import * as styles from './assign.module.css';

interface AssignDialogProps {
  alert: Alert;
  presence: DialogPresence;
}

/** Asks to whom an alert is to be given, and gives it: the first Enter goes to who has fewest. */
export function AssignDialog({ alert, presence }: AssignDialogProps) {
  const deps = useChangeDeps();
  const ifOwner = alert.ownerId ?? 'none';
  const select = (to: Colleague): void => {
    presence.onClose();
    void changeAlert(deps, alert, assignChange(to, ifOwner));
  };
  return (
    <DescribedDialog {...presence} className={styles.assign} title={texts.assignThisAlert} subtitle={texts.assignHint}>
      <AlertSubject alert={alert} />
      <PeopleChoice except={ifOwner} onSelect={select} takesFocus />
    </DescribedDialog>
  );
}
