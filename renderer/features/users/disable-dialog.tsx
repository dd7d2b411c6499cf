import { Radio, RadioGroup } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Colleague } from '#backend/contract/assignment.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import { usePeople } from '#renderer/alerts/assign/people.tsx';
import { PersonField } from '#renderer/alerts/assign/person-field.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { handOverAll } from './users.ts';

interface DisableDialogProps {
  user: PublicUser;
  /** How many open alerts they have. */
  openAlerts: number;
  presence: DialogPresence;
  /** Disables the account, once its alerts are where they should be. */
  onDisable: (user: PublicUser) => void;
}

/** Asks what becomes of somebody's open alerts before their account is disabled. */
export function DisableDialog({ user, openAlerts, presence, onDisable }: DisableDialogProps) {
  const me = useSession();
  const people = usePeople();
  const toasts = useToasts();
  const [isHandedOver, setHandedOver] = useState(false);
  const [to, setTo] = useState<Colleague>();
  const handOver = useMutation({ mutationFn: (userId: string) => handOverAll(user, userId) });
  const name = inertLine(user.displayName);

  const disable = (): void => {
    presence.onClose();
    onDisable(user);
  };
  const submit = (): void => {
    if (!isHandedOver || !to) {
      disable();
      return;
    }
    handOver.mutate(to.id, {
      onSuccess: disable,
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: 'Failed to hand over the alerts', description: message }),
    });
  };

  return (
    <FormDialog
      title="Disable User"
      subtitle={
        <>
          <bdi>{name}</bdi> has {openAlerts.toLocaleString('en')} open {openAlerts === 1 ? 'alert' : 'alerts'}. Their
          sessions end immediately.
        </>
      }
      presence={presence}
      onSubmit={submit}
      submit={{
        text: 'Disable',
        pendingText: 'Handing over...',
        isPending: handOver.isPending,
        isDisabled: isHandedOver && to === undefined,
        intent: 'danger',
      }}
    >
      <RadioGroup
        label={openAlerts === 1 ? 'The open alert' : 'The open alerts'}
        selectedValue={isHandedOver ? 'person' : 'inbox'}
        onChange={({ currentTarget: { value } }) => setHandedOver(value === 'person')}
      >
        <Radio value="inbox" label={openAlerts === 1 ? 'returns to the inbox' : 'return to the inbox'} />
        <Radio value="person" label={openAlerts === 1 ? 'goes to a colleague' : 'go to a colleague'} />
      </RadioGroup>
      {isHandedOver && (
        <FormField
          label="To"
          hint={people.error ? `The people could not be loaded. ${people.error.message}` : 'Notified once.'}
        >
          {(ids) => (
            <PersonField
              {...ids}
              to={to}
              people={people.data?.filter(({ id }) => id !== user.id)}
              me={me.id}
              takesFocus
              onSelect={setTo}
            />
          )}
        </FormField>
      )}
    </FormDialog>
  );
}
