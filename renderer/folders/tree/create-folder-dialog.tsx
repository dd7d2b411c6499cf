import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Folder, type FolderColor, folderColorSchema, folderSchema } from '#backend/contract/folder.ts';
import { type FolderRow, pathTo } from '#renderer/folders/data/folder-rows.ts';
import { useSendPastDeletions } from '#renderer/folders/data/delete-folder.ts';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { useCollapsedFolders } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';
import * as createFolderTexts from './create-folder-texts.ts';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './create-folder-dialog.module.css';

/** What a person enters for a new folder. Without a parent it is at the top level. */
export interface CreateFolderInput {
  name: string;
  color: FolderColor;
  parentId?: string;
}

/** `POST /api/folders`. Throws an ApiError. */
export const createFolder = (input: CreateFolderInput): Promise<Folder> =>
  apiSend('POST', '/api/folders', { body: { ...input, icon: 'folder', order: 0 }, schema: folderSchema });

/** Creates a folder, and reports the result in a toast. */
export function useCreateFolder() {
  const client = useQueryClient();
  const toasts = useToasts();
  const sendPast = useSendPastDeletions();
  return useMutation({
    mutationFn: (input: CreateFolderInput) => sendPast(() => createFolder(input)),
    onSuccess: (folder) => {
      client.setQueryData(foldersQuery.queryKey, (folders) => folders && [...folders, folder]);
      void client.invalidateQueries(foldersQuery);
      toasts.show({ title: createFolderTexts.folderCreated, description: inertLine(folder.name) });
    },
    onError: ({ message }) => {
      toasts.show({
        variant: 'destructive',
        title: createFolderTexts.error,
        description: message || createFolderTexts.failedToCreateFolder,
      });
    },
  });
}

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
          // Shows the folder that was just created.
          setCollapsed(pathTo(rows, parentId), false);
          presence.onClose();
        },
      },
    );

  return (
    <FormDialog
      presence={presence}
      title={createFolderTexts.createNewFolder}
      subtitle={createFolderTexts.organizeYourAlertsByCreating}
      onSubmit={create}
      submit={{ text: texts.createFolder, pendingText: 'Creating...', isPending, isDisabled: name.trim() === '' }}
    >
      <FormField label={createFolderTexts.folderName}>
        {(field) => (
          <InputGroup
            {...field}
            placeholder={createFolderTexts.eGUrgentProject}
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
            {createFolderTexts.parentFolder}{' '}
            <span className={formDialogStyles.optional}>{createFolderTexts.optional}</span>
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
            <option value={TOP_LEVEL}>{createFolderTexts.noneTopLevel}</option>
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

interface ColorSwatchesProps {
  value: FolderColor;
  onChange: (color: FolderColor) => void;
}

/** The six folder colours as a group of radio buttons. */
export function ColorSwatches({ value, onChange }: ColorSwatchesProps) {
  const group = useId();
  return (
    <fieldset className={styles.swatches}>
      <legend>{createFolderTexts.color}</legend>
      {folderColorSchema.options.map((color) => (
        <label key={color} className={styles.swatch}>
          <input
            type="radio"
            name={group}
            aria-label={`${color.charAt(0).toUpperCase()}${color.slice(1)}`}
            value={color}
            checked={color === value}
            onChange={() => onChange(color)}
          />
          <FolderDot color={color} size={32} />
          {color === value && <TickIcon className={styles.swatchTick} size={16} />}
        </label>
      ))}
    </fieldset>
  );
}
