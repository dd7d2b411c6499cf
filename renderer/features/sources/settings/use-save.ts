import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Source, SourceChange, SourceSettings } from '#backend/contract/source.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { putSource, sourceQuery } from '#renderer/features/sources/data/get-sources.ts';
import { changeSource } from '#renderer/features/sources/data/source-commands.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import * as texts from './texts.ts';

/** Saves one thing at once, reports it, and offers to undo it. `title` names what changed. */
export type Save = <Key extends keyof SourceSettings>(title: string, change: Pick<SourceSettings, Key>) => void;

/** Saves settings and the name of a source: shown at once, taken back and reported when it fails. */
export function useSave(source: Source): { save: Save; saveName: (name: string) => void } {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();

  const send = useCallback(
    async (title: string, change: SourceChange, before: SourceChange): Promise<void> => {
      const { settings, name } = source;
      // What is on its way is from before the change, and would take back what is shown of it.
      await client.cancelQueries({ queryKey: sourceQuery(source.id).queryKey, exact: true });
      putSource(client, {
        ...source,
        name: change.name ?? name,
        settings: { ...settings, ...(change.settings as Partial<SourceSettings>) },
      });
      try {
        const changed = await changeSource(client, source, change);
        undo.add({
          kind: 'source setting',
          title,
          many: (count) => ({ title: texts.settingsSaved(count) }),
          undo: async () => {
            await changeSource(client, changed, before);
          },
          undoFailed: texts.settingCouldNotBeChanged,
        });
      } catch (error) {
        // What others have saved since stays.
        const known = client.getQueryData(sourceQuery(source.id).queryKey);
        if (known?.version === source.version) putSource(client, source);
        const description = messageOf(error);
        toasts.show({ variant: 'destructive', title: texts.settingCouldNotBeSaved, description });
      }
    },
    [toasts, undo, client, source],
  );
  const { settings, name: oldName } = source;
  const save = useCallback<Save>(
    (title, change) => {
      const keys = Object.keys(change) as (keyof SourceSettings)[];
      const before = Object.fromEntries(keys.map((key) => [key, settings[key]]));
      void send(texts.titleSaved(title), { settings: change }, { settings: before });
    },
    [send, settings],
  );
  const saveName = useCallback(
    (name: string) => void send(texts.nameSaved, { name }, { name: oldName }),
    [send, oldName],
  );
  return { save, saveName };
}
