import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { useState } from 'react';
import type { Snooze } from '#backend/contract/alert.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { UNTIL_NEXT_FIRING, snoozeChoices } from './snooze-choices.ts';

interface SnoozeMenuProps {
  /** Whether what is snoozed can fire again. */
  canFireAgain: boolean;
  onSelect: (snooze: Snooze) => void;
}

const loadDialog = async () => (await import('./snooze-dialog.tsx')).SnoozeDialog;

/** How long to snooze: some spans and mornings, a date and time, or until it fires again. */
export function SnoozeMenu({ canFireAgain, onSelect }: SnoozeMenuProps) {
  const [choices] = useState(() => snoozeChoices(new Date()));
  const ask = useAsk();
  return (
    <MenuList label="Snooze">
      {choices.map(({ label, hint, snooze }) => (
        <MenuItem key={label} text={label} label={hint} onClick={() => onSelect(snooze)} />
      ))}
      <MenuItem text="Date and time…" onClick={() => ask(loadDialog, { onSelect })} />
      {canFireAgain && <MenuDivider />}
      {canFireAgain && <MenuItem text="Until it fires again" onClick={() => onSelect(UNTIL_NEXT_FIRING)} />}
    </MenuList>
  );
}
