import { HTMLSelect, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { MUTABLE_LABELS, muteLengths, mutablesOf, useMuteFor } from './mute-for.ts';
import { useMutedOnCards } from './mutes.ts';
import * as texts from './texts.ts';

const UNMUTE = 'unmute';

/** Asks what of an alert to mute and for how long, or whether to be notified of it again. */
export function MuteDialog({ alert, presence }: { alert: Alert; presence: DialogPresence }) {
  const mutables = mutablesOf(alert);
  const muted = useMutedOnCards();
  const mute = useMuteFor();
  const [lengths] = useState(() => muteLengths(new Date()));
  const [kind, setKind] = useState(mutables[0]?.kind);
  const [length, setLength] = useState('1');
  const chosen = mutables.find((one) => one.kind === kind);
  const isMuted = chosen !== undefined && muted.has(exceptionKey(chosen.kind, chosen.id));
  const isUnmuting = isMuted && length === UNMUTE;
  const submit = (): void => {
    presence.onClose();
    if (chosen) mute(chosen, isUnmuting ? undefined : (lengths[Number(length)] ?? lengths[0]));
  };
  return (
    <FormDialog
      presence={presence}
      title={texts.muteNotifications}
      subtitle={texts.appliesOnlyToYouAlerts}
      submit={{
        text: isUnmuting ? texts.unmute : texts.mute,
        pendingText: texts.mute,
        isPending: false,
        isDisabled: chosen === undefined,
      }}
      onSubmit={submit}
    >
      <RadioGroup
        label={texts.what}
        selectedValue={kind ?? ''}
        onChange={({ currentTarget }) => setKind(mutables.find((one) => one.kind === currentTarget.value)?.kind)}
      >
        {mutables.map((one) => (
          <Radio
            key={one.kind}
            value={one.kind}
            labelElement={
              <>
                {MUTABLE_LABELS[one.kind]} <bdi>{one.name}</bdi>
                {muted.has(exceptionKey(one.kind, one.id)) && texts.muted}
              </>
            }
          />
        ))}
      </RadioGroup>
      <FormField label={texts.forHowLong}>
        {(ids) => (
          <HTMLSelect
            {...ids}
            fill
            value={!isMuted && length === UNMUTE ? '1' : length}
            options={[
              ...lengths.map(({ label }, index) => ({ value: String(index), label })),
              ...(isMuted ? [{ value: UNMUTE, label: texts.unmute }] : []),
            ]}
            onChange={({ currentTarget }) => setLength(currentTarget.value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
