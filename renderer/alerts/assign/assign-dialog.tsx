import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import type { Colleague } from '#backend/contract/assignment.ts';
import { formatCount } from '#renderer/alerts/bulk/bulk-labels.ts';
import { sizeOfChosen } from '#renderer/alerts/bulk/run-bulk.ts';
import { useBulkActions } from '#renderer/alerts/bulk/use-bulk-actions.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import { useSession } from '#renderer/session/session.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import type { AssignRequest } from './assign-request.ts';
import { PeopleMenu, usePeople } from './people.tsx';
import './assign.css';

interface AssignDialogProps {
  request: AssignRequest;
  onClosed: () => void;
}

/** Asks to whom alerts are to be given, and gives them: the first Enter goes to who has fewest. */
export function AssignDialog({ request, onClosed }: AssignDialogProps) {
  const me = useSession().id;
  const act = useBulkActions();
  const [isOpen, setOpen] = useState(true);
  const { data, error, refetch } = usePeople();
  const { alerts, chosen, ifOwner, onChosen } = request;
  const count = sizeOfChosen(chosen);
  const people = data?.filter(({ id }) => id !== ifOwner) ?? [];
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
      className="ad-assign"
      title={count === 1 ? 'Assign this alert' : `Assign ${formatCount(count)} alerts`}
      subtitle="Status, notes and history go along. Notified once, and can hand back."
    >
      {count === 1 && only && <AlertSubject alert={only} />}
      {error ? (
        <div className="ad-assign-state" role="alert">
          <p>The people could not be loaded. {error.message}</p>
          <Button text="Try again" onClick={() => void refetch()} />
        </div>
      ) : data === undefined ? (
        <output className="ad-assign-state">Loading people...</output>
      ) : people.length === 0 ? (
        <p className="ad-assign-state">There is nobody else yet.</p>
      ) : (
        <div className="ad-assign-people" ref={focusOnce}>
          <PeopleMenu label="Assign to" people={people} me={me} onSelect={select} />
        </div>
      )}
    </DescribedDialog>
  );
}

/** The people come after the dialog; the focus goes to them when they do. */
const focusOnce = (element: HTMLElement | null): void => {
  if (element) requestAnimationFrame(() => focusMenu(element));
};
