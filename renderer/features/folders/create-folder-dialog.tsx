import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { FolderColor } from '#backend/contract/folder.ts';
import { useCollapsedFolders } from '#renderer/lib/folders/collapsed-folders.ts';
import { useCreateFolder } from '#renderer/lib/folders/create-folder.ts';
import { type FolderRow, pathTo } from '#renderer/lib/folders/folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { FormField } from '#renderer/ui/form-dialog/form-field.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { ColorSwatches } from './color-swatches.tsx';

/** The longest name that the server takes. */
const LONGEST_NAME = 100;

/** Stands for the top level; no folder has this id. */
const TOP_LEVEL = '';

interface CreateFolderDialogProps {
  presence: DialogPresence;
  /** The folders that the new one can be in. */
  rows: readonly FolderRow[];
}

/** Asks for a new folder's name, parent and colour. */
export function CreateFolderDialog({ presence, rows }: CreateFolderDialogProps) {
  const { mutate, isPending } = useCreateFolder();
  const [name, setName] = useState('');
  const [parentId, setParentId] = useState(TOP_LEVEL);
  const [color, setColor] = useState<FolderColor>('blue');
  const [, setCollapsed] = useCollapsedFolders();
  const create = (): void =>
    mutate(
      { name: name.trim(), color, ...(parentId !== TOP_LEVEL && { parentId }) },
      {
        onSuccess: () => {
          // What was just made is to be seen.
          setCollapsed(pathTo(rows, parentId), false);
          presence.onClose();
        },
      },
    );

  return (
    <FormDialog
      presence={presence}
      title="Create New Folder"
      subtitle="Organize your alerts by creating custom folders with colors."
      onSubmit={create}
      submit={{ text: 'Create Folder', pendingText: 'Creating...', isPending, isDisabled: name.trim() === '' }}
    >
      <FormField label="Folder Name">
        {(field) => (
          <InputGroup
            {...field}
            placeholder="e.g., Urgent, Project A"
            maxLength={LONGEST_NAME}
            autoComplete="off"
            value={name}
            onValueChange={setName}
          />
        )}
      </FormField>
      <FormField
        label={
          <>
            Parent Folder <span className="ad-form-optional">(Optional)</span>
          </>
        }
      >
        {(field) => (
          <HTMLSelect
            {...field}
            fill
            value={parentId}
            onChange={({ currentTarget }) => setParentId(currentTarget.value)}
          >
            <option value={TOP_LEVEL}>None (top level)</option>
            {rows.map(({ folder, depth }) => (
              <option key={folder.id} value={folder.id}>
                {`${'\u2003'.repeat(depth)}${inertLine(folder.name)}`}
              </option>
            ))}
          </HTMLSelect>
        )}
      </FormField>
      <ColorSwatches value={color} onChange={setColor} />
    </FormDialog>
  );
}
