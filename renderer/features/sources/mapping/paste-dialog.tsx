import { HTMLSelect, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { pastedRequest } from './mapping-draft.ts';
import * as texts from './texts.ts';
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
      title={texts.pasteRequestDialog}
      subtitle={texts.mappingIsTestedOnIt}
      presence={presence}
      onSubmit={submit}
      noValidate
      submit={{ text: texts.tryIt, pendingText: texts.trying, isPending: false, isDisabled: body.trim() === '' }}
    >
      <FormField label={texts.method}>
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
      <FormField label={texts.headers} hint={texts.onePerLineAsName}>
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
      <FormField label={texts.body}>
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
