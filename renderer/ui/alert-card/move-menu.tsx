import { MenuItem } from '@blueprintjs/core';
import type { Folder } from '#backend/contract/folder.ts';
import type { FolderRow } from '#renderer/lib/folders/folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FolderDot } from '#renderer/ui/folder-dot/folder-dot.tsx';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import './move-menu.css';

/** Indent of an entry per level, in pixels, and the level from which on there is no more room for it. */
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
              className="ad-move-item"
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
