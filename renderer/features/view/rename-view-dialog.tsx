import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_VIEW_NAME, type View } from '#backend/contract/view.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useViewCommands } from '#renderer/views/view-commands.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** Asks for another name of a view. */
export function RenameViewDialog({ presence, view }: { presence: DialogPresence; view: View }) {
  const { change } = useViewCommands();
  const [name, setName] = useState(view.name);
  const [isPending, setPending] = useState(false);
  const rename = async (): Promise<void> => {
    setPending(true);
    const changed = await change(view, { name: name.trim() });
    setPending(false);
    if (changed) presence.onClose();
  };
  return (
    <FormDialog
      presence={presence}
      title={texts.renameView}
      subtitle={view.isShared ? texts.newNameAppliesToEveryone : undefined}
      onSubmit={() => void rename()}
      submit={{ text: texts.rename, pendingText: 'Renaming...', isPending, isDisabled: name.trim() === '' }}
    >
      <FormField label={pageTexts.name}>
        {(field) => (
          <InputGroup {...field} maxLength={MAX_VIEW_NAME} autoComplete="off" value={name} onValueChange={setName} />
        )}
      </FormField>
    </FormDialog>
  );
}
