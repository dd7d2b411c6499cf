import { Classes } from '@blueprintjs/core';
import { addHours, addMinutes, format, startOfHour } from 'date-fns';
import { useState } from 'react';
import { MAX_SNOOZE_MINUTES, type Snooze } from '#backend/contract/alert.ts';
import { untilLabel } from '#renderer/alerts/data/snooze.ts';
import { onTheWall } from '#renderer/lib/clock.ts';
import { typedMoment } from '#renderer/lib/times-in-zone.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';

interface SnoozeDialogProps {
  presence: DialogPresence;
  onSelect: (snooze: Snooze) => void;
}

/** As a field for date and time has it. */
const asField = (time: Date): string => format(onTheWall(time), "yyyy-MM-dd'T'HH:mm");

/** Asks until which date and time to snooze. */
export function SnoozeDialog({ presence, onSelect }: SnoozeDialogProps) {
  const [now] = useState(() => new Date());
  const [value, setValue] = useState(() => asField(startOfHour(onTheWall(addHours(now, 2)))));
  const [isRefused, setRefused] = useState(false);
  const time = typedMoment(value, now);
  const problem = problemOf(time, now);
  const submit = (): void => {
    if (problemNow(time) !== undefined) return setRefused(true);
    presence.onClose();
    onSelect({ until: time.toISOString() });
  };
  return (
    <FormDialog
      presence={presence}
      title={texts.snoozeUntil}
      subtitle={texts.alertComesBackAtThis}
      submit={{ text: texts.snooze, pendingText: texts.snooze, isPending: false }}
      noValidate
      onSubmit={submit}
    >
      <FormField
        label={texts.dateAndTime}
        hint={
          problem === undefined ? (
            <>{texts.snoozedUntil(untilLabel(time.toISOString(), now))}</>
          ) : (
            <span role={isRefused ? 'alert' : undefined}>{problem}</span>
          )
        }
      >
        {(ids) => (
          <input
            {...ids}
            className={`${Classes.INPUT} ${Classes.FILL}`}
            type="datetime-local"
            value={value}
            min={asField(addMinutes(now, 1))}
            max={asField(addMinutes(now, MAX_SNOOZE_MINUTES))}
            aria-invalid={isRefused && problem !== undefined}
            onChange={({ target }) => setValue(target.value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

/** Looked at again when it is sent: the dialog may have been open for long. */
const problemNow = (time: Date): string | undefined => problemOf(time, new Date());

/** Why a time cannot be. */
function problemOf(time: Date, now: Date): string | undefined {
  if (Number.isNaN(time.getTime())) return pageTexts.enterDateAndTime;
  if (time <= now) return texts.thisTimeHasPassedChoose;
  return time > addMinutes(now, MAX_SNOOZE_MINUTES) ? texts.chooseTimeWithinNext366 : undefined;
}
