import { type ButtonProps, Button, PopupKind } from '@blueprintjs/core';
import { MoreIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import type { AlertAction } from './action.ts';
import type { ActionMenuProps } from './action-menu.tsx';
import type { Actions } from './change-alert.ts';
import * as texts from './texts.ts';

interface ActionButtonProps {
  action: AlertAction;
  alert: Alert;
  actions: Actions;
  /** Id of the element that names the alert. */
  labelId: string;
  className?: string;
  iconSize?: number;
  /** Whether its key does the same here. */
  hasKey?: boolean;
}

/** An action as an icon: at once, or with the menu of its choices. */
export function ActionButton(props: ActionButtonProps) {
  const { action, alert, actions, labelId, className = '', iconSize = 14, hasKey = true } = props;
  const { Icon, run, loadChoices, labelFor, hasDialog } = action;
  const hints = useKeyHints();
  const label = labelFor?.(alert) ?? action.label;
  const button: ButtonProps = {
    className,
    variant: 'minimal',
    icon: Icon && <Icon size={iconSize} />,
    'aria-label': label,
    'aria-describedby': labelId,
    ...hints.tip(hasKey ? action : {}, label),
  };
  if (!run && loadChoices) {
    return (
      <PopupButton
        placement="bottom-end"
        popupKind={PopupKind.MENU}
        onOpening={focusMenu}
        button={button}
        load={loadChoices}
        content={{
          alerts: [alert],
          ifOwner: alert.ownerId ?? 'none',
          takesFocus: true,
          onChange: (change) => actions.change(alert, change),
        }}
      />
    );
  }
  return (
    <Button {...button} {...(hasDialog && { 'aria-haspopup': 'dialog' })} onClick={() => actions.run(action, alert)} />
  );
}

const loadMenu = async () => {
  const [{ ActionMenu }, { loadAllChoices }] = await Promise.all([
    import('./action-menu.tsx'),
    import('./choices.tsx'),
  ]);
  await loadAllChoices();
  return ActionMenu;
};

/** Opens everything that can be done with an alert. */
export function ActionMenuButton({
  labelId,
  className = '',
  ...content
}: ActionMenuProps & { labelId: string; className?: string }) {
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={focusMenu}
      button={{
        className,
        variant: 'minimal',
        icon: <MoreIcon size={14} />,
        'aria-label': texts.moreActions,
        'aria-describedby': labelId,
        'data-tip': texts.moreActions,
        'data-tip-always': true,
      }}
      load={loadMenu}
      content={content}
    />
  );
}
