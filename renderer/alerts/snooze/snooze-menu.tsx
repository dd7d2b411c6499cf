import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { useState } from 'react';
import type { Snooze } from '#backend/contract/alert.ts';
import type { ChoicesProps } from '#renderer/alerts/actions/action.ts';
import { snoozeChange } from '#renderer/alerts/actions/changes.ts';
import { canFireAgain } from '#renderer/alerts/data/snooze.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { UNTIL_NEXT_FIRING, snoozeChoices } from './snooze-choices.ts';
import * as texts from './texts.ts';

const loadDialog = async () => (await import('./snooze-dialog.tsx')).SnoozeDialog;

/** How long to snooze: some spans and mornings, a date and time, or until it fires again. */
export function SnoozeChoices({ alerts, onChange }: ChoicesProps) {
  const onSelect = (snooze: Snooze): void => onChange(snoozeChange(snooze));
  const fireAgain = alerts.some(canFireAgain);
  const [choices] = useState(() => snoozeChoices(new Date()));
  const ask = useAsk();
  return (
    <MenuList label={texts.snooze}>
      {choices.map(({ label, hint, snooze }) => (
        <MenuItem key={label} text={label} label={hint} onClick={() => onSelect(snooze)} />
      ))}
      <MenuItem text={texts.chooseDateAndTime} onClick={() => ask(loadDialog, { onSelect })} />
      {fireAgain && <MenuDivider />}
      {fireAgain && <MenuItem text={texts.untilItFiresAgain} onClick={() => onSelect(UNTIL_NEXT_FIRING)} />}
    </MenuList>
  );
}
