import { FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_INSIGHT_DAYS } from '#backend/contract/insight.ts';
import { zonesWith } from '#renderer/lib/time-zones.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { isRange } from './insight-range.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './insight.module.css';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';

interface DatesDialogProps {
  from: string;
  to: string;
  timeZone: string;
  onChoose: (chosen: { from: string; to: string; timeZone: string }) => void;
  presence: DialogPresence;
}

/** Asks for the first and the last day, and by which clocks they are days. */
export function DatesDialog({ onChoose, presence, ...shown }: DatesDialogProps) {
  const [from, setFrom] = useState(shown.from);
  const [to, setTo] = useState(shown.to);
  const [timeZone, setTimeZone] = useState(shown.timeZone);
  const isWrong = from !== '' && to !== '' && !isRange(from, to);
  return (
    <FormDialog
      title={texts.chooseDays}
      presence={presence}
      onSubmit={() => {
        presence.onClose();
        onChoose({ from, to, timeZone });
      }}
      submit={{ text: texts.show, pendingText: texts.show, isPending: false, isDisabled: !isRange(from, to) }}
    >
      <FormGroup label={texts.firstDay} labelFor="insight-from">
        <InputGroup id="insight-from" type="date" value={from} max={to} required onValueChange={setFrom} />
      </FormGroup>
      <FormGroup label={texts.lastDay} labelFor="insight-to">
        <InputGroup id="insight-to" type="date" value={to} min={from} required onValueChange={setTo} />
      </FormGroup>
      <FormGroup label={pageTexts.timeZone} labelFor="insight-zone">
        <HTMLSelect
          id="insight-zone"
          className={styles.zone}
          fill
          value={timeZone}
          options={zonesWith(timeZone)}
          onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}
        />
      </FormGroup>
      {isWrong && (
        <p className={formDialogStyles.fieldError} role="alert">
          {to < from ? texts.lastDayIsBeforeFirst : texts.chooseAtMost(MAX_INSIGHT_DAYS)}
        </p>
      )}
    </FormDialog>
  );
}
