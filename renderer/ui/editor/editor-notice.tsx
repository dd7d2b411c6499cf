import { ChangedMeanwhile, DeletedMeanwhile } from '#renderer/ui/changed-meanwhile/changed-meanwhile.tsx';
import type { Editor } from './use-editor.ts';

interface EditorNoticeProps {
  editor: Pick<Editor<unknown>, 'conflict' | 'deleted' | 'discard' | 'isPending'>;
  /** Why it cannot be saved yet. */
  missing: string | undefined;
  onSave: () => void;
}

/** What a colleague has done meanwhile with what is edited here: saved the same fields, or deleted it. */
export function EditorNotice({
  editor: { conflict, deleted, discard, isPending },
  missing,
  onSave,
}: EditorNoticeProps) {
  if (conflict) return <ChangedMeanwhile onShowTheirs={conflict.showTheirs} onKeepEditing={conflict.keepMine} />;
  if (!deleted) return null;
  const canSave = missing === undefined && !isPending;
  return (
    <DeletedMeanwhile name={deleted.name} missing={missing} canSave={canSave} onSave={onSave} onDiscard={discard} />
  );
}
