import { Button, MenuDivider, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { FolderCloseIcon, MoreIcon, RemoveIcon, TrashIcon, UndoIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import { useFolderTree } from '#renderer/lib/folders/use-folder-tree.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { SubMenu } from '#renderer/ui/menu/sub-menu.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { MoveMenu } from './move-menu.tsx';

interface CardMenuProps {
  alert: Alert;
  labelId: string;
  onUnaccept: (alert: Alert) => void;
  onMove: AlertActions['move'];
  /** Absent for members who may not delete from a queue. */
  onDelete: ((alert: Alert) => void) | undefined;
}

/** The card menu of an alert in the queue or in a folder. */
export function CardMenu({ labelId, ...menu }: CardMenuProps) {
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.MENU}
      shouldReturnFocusOnClose
      onOpening={focusMenu}
      content={<CardMenuItems {...menu} />}
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

/** Apart from its button, so that what it needs is looked up when it opens only. */
function CardMenuItems({ alert, onUnaccept, onMove, onDelete }: Omit<CardMenuProps, 'labelId'>) {
  const rows = useFolderTree() ?? [];
  const isFiled = alert.folderId !== undefined;
  const canMove = rows.some(({ folder }) => folder.id !== alert.folderId);
  return (
    <MenuList label="Alert actions">
      <MenuItem icon={<UndoIcon size={16} />} text="Unaccept" onClick={() => onUnaccept(alert)} />
      {isFiled && (
        <MenuItem icon={<RemoveIcon size={16} />} text="Remove from folder" onClick={() => onMove(alert, null)} />
      )}
      {canMove && (
        <SubMenu icon={<FolderCloseIcon size={16} />} text="Move to">
          <MoveMenu rows={rows} current={alert.folderId} onSelect={(folder) => onMove(alert, folder)} />
        </SubMenu>
      )}
      {onDelete && <MenuDivider />}
      {onDelete && (
        <MenuItem icon={<TrashIcon size={16} />} intent="danger" text="Delete" onClick={() => onDelete(alert)} />
      )}
    </MenuList>
  );
}
