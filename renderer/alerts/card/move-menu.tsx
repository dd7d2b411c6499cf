import { useMemo } from 'react';
import type { Folder } from '#backend/contract/folder.ts';
import type { ChoicesProps } from '#renderer/alerts/actions/action.ts';
import { moveChange } from '#renderer/alerts/actions/changes.ts';
import { type FolderRow, PATH_MARK, folderPaths } from '#renderer/folders/data/folder-rows.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import * as texts from './move-menu-texts.tsx';
import * as styles from './alert-card.module.css';

const NO_ROWS: readonly FolderRow[] = [];

/** The folders into which alerts can be moved. */
export function MoveChoices({ alerts, onChange }: ChoicesProps) {
  const rows = useFolderTree() ?? NO_ROWS;
  const me = useSession();
  const [first] = alerts;
  const current = alerts.every(({ folderId }) => folderId === first?.folderId) ? first?.folderId : undefined;
  return <MoveMenu rows={rows} current={current} onSelect={(folder) => onChange(moveChange(folder, me))} />;
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
function MoveMenu({ rows, current, onSelect }: MoveMenuProps) {
  const paths = useMemo(() => folderPaths(rows), [rows]);
  const others = rows.filter(({ folder }) => folder.id !== current);
  return (
    <FilteredMenu
      label={texts.moveTo}
      filterLabel={texts.filterFolders}
      entries={others.map(({ folder, depth }) => {
        const name = inertLine(folder.name);
        const path = (paths.get(folder.id) ?? []).map(inertLine);
        const parents = path.slice(0, -1).join(PATH_MARK);
        return {
          key: folder.id,
          name,
          className: styles.moveItem,
          style: { paddingInlineStart: 8 + Math.min(depth, DEEPEST) * INDENT },
          icon: <FolderDot color={folder.color} />,
          text: <>{texts.moveToFolder(<bdi>{name}</bdi>)}</>,
          title: path.join(PATH_MARK),
          // The folders that it is in, and its indent among them, are left out.
          asFound: {
            style: {},
            text: (
              <>
                {texts.moveToFolder(<bdi>{name}</bdi>)}
                {parents !== '' && <span className={styles.moveParents}> {texts.inFolder(<bdi>{parents}</bdi>)}</span>}
              </>
            ),
          },
          onSelect: () => onSelect(folder),
        };
      })}
    />
  );
}
