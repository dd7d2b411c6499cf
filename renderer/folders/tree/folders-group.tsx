import { Button } from '@blueprintjs/core';
import { PlusIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { Suspense, memo } from 'react';
import { NavLink } from 'react-router-dom';
import { dragAtom, folderTarget } from '#renderer/alerts/drag/drag.ts';
import type { FolderRow } from '#renderer/folders/data/folder-rows.ts';
import { useFolders } from '#renderer/folders/data/folders.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useRememberedPath } from '#renderer/lib/screen-memory.ts';
import { railTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { FolderTree } from './folder-tree.tsx';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as navStyles from '#renderer/ui/nav/nav.module.css';
import * as styles from './folders-group.module.css';

const CreateFolderDialog = lazyWithRetry(
  async () => (await import('./create-folder-dialog.tsx')).CreateFolderDialog,
  'report',
);

/** The sidebar's Folders group: the tree, or what there is to do while it is empty. */
export const FoldersGroup = memo(function FoldersGroup({ iconsOnly }: { iconsOnly: boolean }) {
  const { error, refetch } = useFolders();
  const rows = useFolderTree();
  const dialog = useDialog();
  const create = (): void => dialog.open(true);

  const plus = (
    <span className={styles.plus}>
      <Button
        variant="minimal"
        icon={<PlusIcon />}
        aria-label={texts.createOneFolder}
        aria-haspopup="dialog"
        data-tip={texts.createOneFolder}
        data-tip-always
        data-tip-now={iconsOnly || undefined}
        data-tip-side="right"
        onClick={create}
      />
    </span>
  );
  return (
    <section className={`${navStyles.group} ${styles.folders}`} aria-label={common.folders}>
      <div className={navStyles.groupHead}>
        <h2 className={navStyles.groupLabel}>{common.folders}</h2>
        {!iconsOnly && plus}
      </div>
      {error && !rows ? (
        <div className={styles.none} role="alert">
          <p>{texts.yourFoldersCouldNotBe}</p>
          <Button text={common.tryAgain} onClick={() => void refetch()} />
        </div>
      ) : !rows ? null : iconsOnly ? (
        <FolderRail rows={rows} />
      ) : rows.length === 0 ? (
        <NoFolders onCreate={create} />
      ) : (
        <FolderTree rows={rows} />
      )}
      {iconsOnly && plus}
      {dialog.shown && (
        <Suspense>
          <CreateFolderDialog key={dialog.shown.key} presence={dialog.shown.presence} rows={rows ?? []} />
        </Suspense>
      )}
    </section>
  );
});

/** In place of the tree. While an alert is dragged over it, it says that a folder is missing. */
function NoFolders({ onCreate }: { onCreate: () => void }) {
  const drag = useAtomValue(dragAtom);
  const isOver = drag?.over === 'no-folders';
  return (
    <div className={classNames(styles.none, isOver && styles.dropOver)} data-drop-target="no-folders">
      <p>{isOver ? texts.dropToCreateFolder : common.noFoldersYet}</p>
      <Button text={texts.createFolder} aria-haspopup="dialog" onClick={onCreate} />
    </div>
  );
}

/** The folders while the sidebar shows icons only: the top level as dots, name and count in a tooltip. */
export function FolderRail({ rows }: { rows: readonly FolderRow[] }) {
  const rememberedPath = useRememberedPath();
  return (
    <ul className={styles.folderRail} aria-label={common.folders}>
      {rows
        .filter(({ depth }) => depth === 0)
        .map(({ folder: { id, name, color, alertCount } }) => (
          <li key={id}>
            <NavLink
              className={navStyles.item}
              to={rememberedPath(`/folder/${id}`)}
              data-drop-target={folderTarget(id)}
              {...railTip(inertLine(name), alertCount)}
            >
              <FolderDot color={color} size={10} />
              <span className={navStyles.label}>{inertLine(name)}</span>
            </NavLink>
          </li>
        ))}
    </ul>
  );
}
