import { MenuItem } from '@blueprintjs/core';
import { HistoryIcon, PersonIcon, TimeIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { useAssignOne } from '#renderer/alerts/assign/use-assign-one.ts';
import { canFireAgain } from '#renderer/alerts/data/snooze.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { SnoozeMenu } from '#renderer/alerts/snooze/snooze-menu.tsx';
import { CopyLinkItem, NoteItem } from './menu-items.tsx';
import { MuteItem } from '#renderer/mutes/mute-item.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { SubMenu } from '#renderer/ui/menu/sub-menu.tsx';

export interface InboxMenuProps {
  alert: Alert;
  onSnooze: AlertActions['snooze'];
  onHistory: (alert: Alert) => void;
}

/** What else can be done with an alert of the inbox. */
export function InboxMenu({ alert, onSnooze, onHistory }: InboxMenuProps) {
  const assign = useAssignOne();
  const hints = useKeyHints();
  return (
    <MenuList label="Alert actions">
      <MenuItem
        icon={<PersonIcon size={16} />}
        text="Assign…"
        {...hints.entry('assign')}
        onClick={() => assign(alert)}
      />
      <SubMenu icon={<TimeIcon size={16} />} text="Snooze" {...hints.entry('snooze')}>
        <SnoozeMenu canFireAgain={canFireAgain(alert)} onSelect={(snooze) => onSnooze(alert, snooze)} />
      </SubMenu>
      <MuteItem alert={alert} />
      <NoteItem alert={alert} />
      <MenuItem
        icon={<HistoryIcon size={16} />}
        text="Alert history"
        {...hints.entry('history')}
        onClick={() => onHistory(alert)}
      />
      <CopyLinkItem alert={alert} />
    </MenuList>
  );
}
