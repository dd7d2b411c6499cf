import { HTMLSelect, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { pastedRequest } from './mapping-draft.ts';
import * as styles from './mapping.module.css';

interface PasteDialogProps {
  presence: DialogPresence;
  onPaste: (request: ReturnType<typeof pastedRequest>) => void;
}

/** Takes a request to try the mapping on. Nothing of it is stored. */
export function PasteDialog({ presence, onPaste }: PasteDialogProps) {
  const [method, setMethod] = useState('POST');
  const [headers, setHeaders] = useState('Content-Type: application/json');
  const [body, setBody] = useState('');
  const submit = (): void => {
    onPaste(pastedRequest(method, headers, body));
    presence.onClose();
  };
  return (
    <FormDialog
      title="Paste a request"
      subtitle="The mapping is tested on it. Nothing is stored."
      presence={presence}
      onSubmit={submit}
      noValidate
      submit={{ text: 'Try it', pendingText: 'Trying…', isPending: false, isDisabled: body.trim() === '' }}
    >
      <FormField label="Method">
        {(ids) => (
          <HTMLSelect
            {...ids}
            fill
            options={['POST', 'PUT']}
            value={method}
            onChange={({ target }) => setMethod(target.value)}
          />
        )}
      </FormField>
      <FormField label="Headers" hint="One per line, as name: value.">
        {(ids) => (
          <TextArea
            {...ids}
            fill
            rows={3}
            className={styles.pasteText}
            spellCheck={false}
            value={headers}
            onChange={({ target }) => setHeaders(target.value)}
          />
        )}
      </FormField>
      <FormField label="Body">
        {(ids) => (
          <TextArea
            {...ids}
            fill
            rows={8}
            className={styles.pasteText}
            spellCheck={false}
            value={body}
            onChange={({ target }) => setBody(target.value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
