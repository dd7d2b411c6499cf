import { PopupKind } from '@blueprintjs/core';
import { TimeIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { canFireAgain } from '#renderer/alerts/data/snooze.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';

interface SnoozeButtonProps {
  alert: Alert;
  /** Id of the element that names the alert. */
  labelId: string;
  className?: string;
  onSnooze: AlertActions['snooze'];
}

const loadMenu = async () => (await import('./snooze-menu.tsx')).SnoozeMenu;

/** A clock that opens the ways to snooze an alert, or to snooze it until another time. */
export function SnoozeButton({ alert, labelId, className = '', onSnooze }: SnoozeButtonProps) {
  const label = alert.snoozedUntil === undefined ? 'Snooze' : 'Snooze until another time';
  const hints = useKeyHints();
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={focusMenu}
      button={{
        className,
        variant: 'minimal',
        icon: <TimeIcon size={14} />,
        'aria-label': label,
        'aria-describedby': labelId,
        ...hints.tip('snooze', label),
      }}
      load={loadMenu}
      content={{ canFireAgain: canFireAgain(alert), onSelect: (snooze) => onSnooze(alert, snooze) }}
    />
  );
}
