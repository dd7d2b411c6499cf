import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Snooze } from '#backend/contract/alert.ts';
import { snoozeAskAtom } from '#renderer/alerts/data/list-state.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { UNTIL_NEXT_FIRING, snoozeChoices } from './snooze-choices.ts';

interface SnoozeMenuProps {
  /** Whether what is snoozed can fire again. */
  canFireAgain: boolean;
  onSelect: (snooze: Snooze) => void;
}

/** How long to snooze: some spans and mornings, a date and time, or until it fires again. */
export function SnoozeMenu({ canFireAgain, onSelect }: SnoozeMenuProps) {
  const [choices] = useState(() => snoozeChoices(new Date()));
  const ask = useSetAtom(snoozeAskAtom);
  return (
    <MenuList label="Snooze">
      {choices.map(({ label, hint, snooze }) => (
        <MenuItem key={label} text={label} label={hint} onClick={() => onSelect(snooze)} />
      ))}
      <MenuItem text="Date and time…" onClick={() => ask({ onSelect })} />
      {canFireAgain && <MenuDivider />}
      {canFireAgain && <MenuItem text="Until it fires again" onClick={() => onSelect(UNTIL_NEXT_FIRING)} />}
    </MenuList>
  );
}
