import { Button, MenuDivider, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { FolderCloseIcon, MoreIcon, PersonIcon, RemoveIcon, TimeIcon, TrashIcon, UndoIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { useAssignOne } from '#renderer/alerts/assign/use-assign-one.ts';
import { canFireAgain } from '#renderer/alerts/data/snooze.ts';
import type { AlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { SnoozeMenu } from '#renderer/alerts/snooze/snooze-menu.tsx';
import type { FolderRow } from '#renderer/folders/data/folder-rows.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MuteItem } from '#renderer/mutes/mute-item.tsx';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { SubMenu } from '#renderer/ui/menu/sub-menu.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { CopyLinkItem, NoteItem } from './menu-items.tsx';
import * as styles from './alert-card.module.css';

interface CardMenuProps {
  alert: Alert;
  labelId: string;
  onUnaccept: (alert: Alert) => void;
  /** Absent for who may not snooze the alert. */
  onSnooze?: AlertActions['snooze'] | undefined;
  /** Absent for who may not file the alert. */
  onMove?: AlertActions['move'] | undefined;
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
        className={styles.icon}
        variant="minimal"
        icon={<MoreIcon size={14} />}
        aria-label="More actions"
        aria-describedby={labelId}
      />
    </PopoverNext>
  );
}

/** Apart from its button, so that what it needs is looked up when it opens only. */
function CardMenuItems({ alert, onUnaccept, onSnooze, onMove, onDelete }: Omit<CardMenuProps, 'labelId'>) {
  const rows = useFolderTree() ?? [];
  const assign = useAssignOne();
  const hints = useKeyHints();
  const isFiled = alert.folderId !== undefined;
  const canMove = onMove !== undefined && rows.some(({ folder }) => folder.id !== alert.folderId);
  return (
    <MenuList label="Alert actions">
      <MenuItem
        icon={<UndoIcon size={16} />}
        text="Unaccept"
        {...hints.entry('unaccept')}
        onClick={() => onUnaccept(alert)}
      />
      {isFiled && onMove && (
        <MenuItem icon={<RemoveIcon size={16} />} text="Remove from folder" onClick={() => onMove(alert, null)} />
      )}
      {canMove && (
        <SubMenu icon={<FolderCloseIcon size={16} />} text="Move to" {...hints.entry('move')}>
          <MoveMenu rows={rows} current={alert.folderId} onSelect={(folder) => onMove(alert, folder)} />
        </SubMenu>
      )}
      <MenuItem
        icon={<PersonIcon size={16} />}
        text="Assign…"
        {...hints.entry('assign')}
        onClick={() => assign(alert)}
      />
      {onSnooze && alert.status !== 'completed' && (
        <SubMenu icon={<TimeIcon size={16} />} text="Snooze" {...hints.entry('snooze')}>
          <SnoozeMenu canFireAgain={canFireAgain(alert)} onSelect={(snooze) => onSnooze(alert, snooze)} />
        </SubMenu>
      )}
      <MuteItem alert={alert} />
      <NoteItem alert={alert} />
      <CopyLinkItem alert={alert} />
      {onDelete && <MenuDivider />}
      {onDelete && (
        <MenuItem
          icon={<TrashIcon size={16} />}
          intent="danger"
          text="Delete"
          {...hints.entry('delete')}
          onClick={() => onDelete(alert)}
        />
      )}
    </MenuList>
  );
}

/** Indent of an entry per level, in pixels, and the level from which on there is no more space for it. */
const INDENT = 16;
const DEEPEST = 5;

interface MoveMenuProps {
  rows: readonly FolderRow[];
  /** The folder that the alert is in already, which is not on offer. */
  current: string | undefined;
  onSelect: (folder: Folder) => void;
}

/** One "Move to {folder}" entry per folder, indented as in the tree. */
export function MoveMenu({ rows, current, onSelect }: MoveMenuProps) {
  const others = rows.filter(({ folder }) => folder.id !== current);
  return (
    <FilteredMenu
      label="Move to"
      filterLabel="Filter folders"
      entries={others.map(({ folder, depth }) => {
        const name = inertLine(folder.name);
        return {
          key: folder.id,
          name,
          item: (
            <MenuItem
              className={styles.moveItem}
              style={{ paddingInlineStart: 8 + Math.min(depth, DEEPEST) * INDENT }}
              icon={<FolderDot color={folder.color} />}
              text={
                <>
                  Move to <bdi>{name}</bdi>
                </>
              }
              htmlTitle={name}
              onClick={() => onSelect(folder)}
            />
          ),
        };
      })}
    />
  );
}
