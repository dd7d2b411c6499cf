import { Button, Radio, RadioGroup } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { Colleague } from '#backend/contract/assignment.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import { usePeople } from '#renderer/alerts/assign/people.tsx';
import { PersonField } from '#renderer/alerts/assign/person-field.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { handOverAll } from './users.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';

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
  const handOver = useMutation({
    mutationFn: ({ userId, by }: { userId: string; by: AbortController }) =>
      handOverAll({ from: user, openAlerts, userId }, by),
  });
  /** Ends the hand-over that runs. */
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const name = inertLine(user.displayName);

  const disable = (): void => {
    presence.onClose();
    onDisable(user);
  };
  const giveTo = async (userId: string): Promise<void> => {
    const by = new AbortController();
    stop.current = by;
    try {
      const given = await handOver.mutateAsync({ userId, by });
      if (by.signal.aborted) {
        const description = texts.handedOver(countText(given), given, name);
        toasts.show({ title: texts.handOverStopped, description });
      } else disable();
    } catch (error) {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: texts.failedToHandOverAlerts, description });
    }
  };
  const submit = (): void => {
    if (!isHandedOver || !to) {
      disable();
      return;
    }
    void giveTo(to.id);
  };
  const close = (): void => {
    stop.current?.abort();
    presence.onClose();
  };

  return (
    <FormDialog
      title={texts.disableUser}
      subtitle={<>{texts.hasOpenAlerts(<bdi>{name}</bdi>, countText(openAlerts), openAlerts)}</>}
      presence={{ ...presence, onClose: close }}
      onSubmit={submit}
      submit={{
        text: texts.disable,
        pendingText: texts.handingOver,
        isPending: handOver.isPending,
        isDisabled: isHandedOver && to === undefined,
        intent: 'danger',
      }}
    >
      <RadioGroup
        label={openAlerts === 1 ? texts.openAlert : texts.openAlerts}
        selectedValue={isHandedOver ? 'person' : 'inbox'}
        onChange={({ currentTarget: { value } }) => setHandedOver(value === 'person')}
      >
        <Radio value="inbox" label={openAlerts === 1 ? texts.returnsToInbox : texts.returnToInbox} />
        <Radio value="person" label={openAlerts === 1 ? texts.goesToColleague : texts.goToColleague} />
      </RadioGroup>
      {isHandedOver && (
        <FormField
          label={texts.to}
          action={
            people.error && (
              <Button variant="minimal" size="small" text={common.tryAgain} onClick={() => void people.refetch()} />
            )
          }
          hint={people.error ? texts.peopleCouldNotBeLoaded(people.error.message) : texts.notifiedOnce}
        >
          {(ids) => (
            <PersonField
              {...ids}
              to={to}
              people={people.data?.filter(({ id }) => id !== user.id)}
              isFailed={people.error !== null}
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
