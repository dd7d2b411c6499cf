import { Button } from '@blueprintjs/core';
import { PlusIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { Suspense } from 'react';
import { dragAtom } from '#renderer/lib/drag.ts';
import { useFolders } from '#renderer/lib/folders/get-folders.ts';
import { useFolderTree } from '#renderer/lib/folders/use-folder-tree.ts';
import { lazyPart } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { FolderRail } from './folder-rail.tsx';
import { FolderTree } from './folder-tree.tsx';
import './folders-group.css';

const CreateFolderDialog = lazyPart(async () => (await import('./create-folder-dialog.tsx')).CreateFolderDialog);

/** The sidebar's Folders group: the tree, or what there is to do while it is empty. */
export function FoldersGroup({ iconsOnly }: { iconsOnly: boolean }) {
  const { error, refetch } = useFolders();
  const rows = useFolderTree();
  const dialog = useDialog();
  const create = (): void => dialog.open(true);

  const plus = (
    <span className="ad-folders-plus">
      <Button
        variant="minimal"
        icon={<PlusIcon />}
        aria-label="Create a folder"
        aria-haspopup="dialog"
        data-tip="Create a folder"
        data-tip-always
        data-tip-now={iconsOnly || undefined}
        data-tip-side="right"
        onClick={create}
      />
    </span>
  );
  return (
    <section className="ad-nav-group ad-folders" aria-label="Folders">
      <div className="ad-nav-group-head">
        <h2 className="ad-nav-group-label">Folders</h2>
        {!iconsOnly && plus}
      </div>
      {error && !rows ? (
        <div className="ad-folders-none" role="alert">
          <p>Your folders could not be loaded.</p>
          <Button text="Try again" onClick={() => void refetch()} />
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
}

/** In place of the tree. A drag over it is told what is missing. */
function NoFolders({ onCreate }: { onCreate: () => void }) {
  const drag = useAtomValue(dragAtom);
  const isOver = drag?.over === 'no-folders';
  return (
    <div className={`ad-folders-none${isOver ? ' ad-drop-over' : ''}`} data-drop-target="no-folders">
      <p>{isOver ? 'Drop to create folder' : 'No folders yet'}</p>
      <Button text="Create Folder" aria-haspopup="dialog" onClick={onCreate} />
    </div>
  );
}
