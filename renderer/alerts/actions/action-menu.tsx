import { MenuDivider, MenuItem } from '@blueprintjs/core';
import type { Alert } from '#backend/contract/alert.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { useFolders } from '#renderer/folders/data/folders.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { SubMenu } from '#renderer/ui/menu/sub-menu.tsx';
import type { AlertAction } from './action.ts';
import { Choices } from './choices.tsx';
import { menuActionsFor } from './action-table.ts';
import type { Actions } from './change-alert.ts';
import * as texts from './texts.ts';

export interface ActionMenuProps {
  alert: Alert;
  actions: Actions;
  /** Opens Extra Information, where the card has no space for a button, and how many fields that has. */
  extra?: { count: number; onSelect: () => void };
  /** Called before the alert is deleted. */
  onRemove?: (() => void) | undefined;
}

/** Everything that can be done with an alert. */
export function ActionMenu({ alert, actions, extra, onRemove }: ActionMenuProps) {
  const hints = useKeyHints();
  // Whether there are any decides what is offered.
  useFolders();
  const offered = menuActionsFor(alert, actions);
  const entry = (action: AlertAction) => {
    const { Icon, label, inMenu, isDangerous } = action;
    const shown = {
      icon: Icon ? <Icon size={16} /> : <span />,
      text: (inMenu && inMenu.label) || label,
      ...hints.entry(action),
    };
    if (action.loadChoices && !(inMenu && inMenu.isItem)) {
      return (
        <SubMenu key={action.id} {...shown}>
          <Choices
            action={action}
            alerts={[alert]}
            ifOwner={alert.ownerId ?? 'none'}
            takesFocus={false}
            onChange={(change) => actions.change(alert, change)}
          />
        </SubMenu>
      );
    }
    const run = (): void => {
      if (action.many === 'delete') onRemove?.();
      actions.run(action, alert);
    };
    return <MenuItem key={action.id} {...shown} {...(isDangerous && { intent: 'danger' })} onClick={run} />;
  };
  const dangerous = offered.filter(({ isDangerous }) => isDangerous);
  return (
    <MenuList label={texts.alertActions}>
      {offered.filter(({ isDangerous }) => !isDangerous).map(entry)}
      {extra && (
        <MenuItem
          icon={<span />}
          text={texts.extraInformation}
          label={texts.countMore(extra.count)}
          onClick={extra.onSelect}
        />
      )}
      {dangerous.length > 0 && <MenuDivider />}
      {dangerous.map(entry)}
    </MenuList>
  );
}
