import { Button, Menu, MenuDivider, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { MoreIcon, TrashIcon, UndoIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';

interface CardMenuProps {
  alert: Alert;
  labelId: string;
  onUnaccept: (alert: Alert) => void;
  /** Absent for members who may not delete from a queue (spec.md section 6). */
  onDelete: ((alert: Alert) => void) | undefined;
}

/** What else can be done with an alert of the queue (tokens.md, "Overlays"). */
export function CardMenu({ alert, labelId, onUnaccept, onDelete }: CardMenuProps) {
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.MENU}
      shouldReturnFocusOnClose
      content={
        <Menu aria-label="Alert actions">
          <MenuItem icon={<UndoIcon size={16} />} text="Unaccept" onClick={() => onUnaccept(alert)} />
          {onDelete && <MenuDivider />}
          {onDelete && (
            <MenuItem icon={<TrashIcon size={16} />} intent="danger" text="Delete" onClick={() => onDelete(alert)} />
          )}
        </Menu>
      }
    >
      <Button
        className="ad-card-icon"
        variant="minimal"
        icon={<MoreIcon size={14} />}
        aria-label="More actions"
        aria-describedby={labelId}
      />
    </PopoverNext>
  );
}
