import { MenuItem } from '@blueprintjs/core';
import { AnnotationIcon, LinkIcon } from '@blueprintjs/icons';
import { useHref } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { useWriteNote } from '#renderer/alerts/panel/open-alert.tsx';
import { useCopyLink } from '#renderer/alerts/panel/panel-bar.tsx';

/** The entry that opens the alert with the field of a new note. */
export function NoteItem({ alert }: { alert: Alert }) {
  const write = useWriteNote();
  const hints = useKeyHints();
  return (
    <MenuItem
      icon={<AnnotationIcon size={16} />}
      text="Write a note"
      {...hints.entry('note')}
      onClick={() => write(alert)}
    />
  );
}

/** The entry that copies the alert's address, for members with access to it. */
export function CopyLinkItem({ alert }: { alert: Alert }) {
  const copy = useCopyLink();
  const href = useHref(pathOfAlert(alert.id));
  return <MenuItem icon={<LinkIcon size={16} />} text="Copy link" onClick={() => void copy(href)} />;
}
