import { AnchorButton } from '@blueprintjs/core';
import { FolderCloseIcon, FolderOpenIcon } from '@blueprintjs/icons';
import { useMemo } from 'react';
import { useHref, useLinkClickHandler, useParams } from 'react-router-dom';
import { QueueListPage } from '#renderer/alerts/list/queue-list-page.tsx';
import { useFolders } from '#renderer/folders/data/folders.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as styles from '#renderer/alerts/list/alert-list.module.css';

/** The page of the folder that the address names, or of all. */
export function FolderPage() {
  const { id } = useParams();
  return id === undefined ? <AllFoldersPage /> : <OneFolderPage id={id} />;
}

/** The member's alerts in one folder. */
function OneFolderPage({ id }: { id: string }) {
  const { error, refetch } = useFolders();
  const rows = useFolderTree();
  const list = useMemo(() => ({ list: 'folder' as const, folderId: id, completion: 'open' as const }), [id]);
  const folder = rows?.find((row) => row.folder.id === id)?.folder;

  if (folder) {
    const name = inertLine(folder.name);
    return (
      <QueueListPage
        title={name}
        icon={<FolderDot color={folder.color} size={12} />}
        list={list}
        words={texts.inThisFolder}
        empty={<FolderEmpty name={name} />}
      />
    );
  }
  if (rows) return <FolderUnknown />;
  if (!error) return null;
  return (
    <div className={styles.alone}>
      <LoadError what={texts.yourFolders} error={error} onRetry={() => void refetch()} isPage />
    </div>
  );
}

const ALL_FOLDERS = { list: 'all-folders' } as const;

/** The member's alerts in all of their folders: where a search looks through them together. */
function AllFoldersPage() {
  return (
    <QueueListPage
      title={pageTexts.myFolders}
      icon={<FolderOpenIcon />}
      list={ALL_FOLDERS}
      words={texts.inYourFolders}
      empty={
        <EmptyState
          icon={<FolderOpenIcon size={40} />}
          title={texts.yourFoldersAreEmpty}
          text={texts.moveAlertsFromYourQueue}
          action={<ToMyAlerts />}
        />
      }
    />
  );
}

function FolderEmpty({ name }: { name: string }) {
  return (
    <EmptyState
      icon={<FolderOpenIcon size={40} />}
      title={texts.isEmpty(name)}
      text={texts.moveAlertsFromYourQueueTo}
      action={<ToMyAlerts />}
    />
  );
}

/** There is no such folder of mine, or none any more. */
function FolderUnknown() {
  return (
    <div className={styles.alone}>
      <EmptyState
        isPage
        icon={<FolderCloseIcon size={40} />}
        title={texts.folderNotFound}
        text={texts.thisFolderMayHaveBeen}
        action={<ToMyAlerts />}
      />
    </div>
  );
}

function ToMyAlerts() {
  const href = useHref(PATHS.myAlerts);
  const open = useLinkClickHandler<HTMLElement>(PATHS.myAlerts);
  return <AnchorButton href={href} onClick={open} text={common.myAlerts} />;
}
