import { use, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import type { AlertChange } from '#renderer/alerts/actions/changes.ts';
import { Choices, loadAllChoices } from '#renderer/alerts/actions/choices.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';

interface GroupChoicesProps {
  action: AlertAction;
  /** The alerts of the group that are loaded, and how many there are. */
  alerts: readonly Alert[];
  count: number;
  onChange: (change: AlertChange) => void;
  presence: DialogPresence;
}

/** The choices of an action for all alerts of a group, such as how long they are snoozed. */
export function GroupChoices({ action, alerts, count, onChange, presence }: GroupChoicesProps) {
  const [loading] = useState(loadAllChoices);
  use(loading);
  const owners = new Set(alerts.map(({ ownerId }) => ownerId ?? 'none'));
  const [ifOwner] = owners;
  return (
    <DescribedDialog {...presence} title={texts.chooseFor(action.label, texts.countAlerts(count))}>
      <Choices
        action={action}
        alerts={alerts}
        ifOwner={owners.size === 1 ? ifOwner : undefined}
        takesFocus
        onChange={(change) => {
          presence.onClose();
          onChange(change);
        }}
      />
    </DescribedDialog>
  );
}
