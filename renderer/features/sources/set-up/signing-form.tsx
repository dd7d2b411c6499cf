import { Button } from '@blueprintjs/core';
import { TickCircleIcon } from '@blueprintjs/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { addSigningSecret, changeSource } from '#renderer/features/sources/data/source-commands.ts';
import * as styles from './set-up.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';

interface SigningFormProps {
  source: Source;
  scheme: SignatureScheme;
}

/**
 * Takes the secret over that the sender shows, and has every request checked from then on. The field keeps its own text,
 * because React would repeat it in an attribute.
 */
export function SigningForm({ source, scheme }: SigningFormProps) {
  const client = useQueryClient();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isEmpty, setEmpty] = useState(true);
  const guard = useLeaveGuard(!isEmpty);
  const save = useMutation({
    gcTime: 0,
    mutationFn: async (secret: string) => {
      await addSigningSecret(source.id, secret);
      return changeSource(client, source, { settings: { auth: { ...source.settings.auth, signature: scheme } } });
    },
    onSuccess: () => {
      if (field.current) field.current.value = '';
      setEmpty(true);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const secret = field.current?.value.trim() ?? '';
    if (secret !== '' && !save.isPending) save.mutate(secret);
  };
  const isChecked = source.settings.auth.signature === scheme;
  return (
    <form className={styles.signing} onSubmit={submit} noValidate>
      <label className="ad-hidden" htmlFor={id}>
        Signing secret
      </label>
      <input
        ref={field}
        id={id}
        className={`bp6-input ${styles.signingField}`}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={isChecked ? 'New signing secret' : 'Signing secret'}
        onChange={({ target }) => setEmpty(target.value.trim() === '')}
      />
      <Button type="submit" text={save.isPending ? 'Saving…' : 'Save'} disabled={isEmpty} />
      {save.error && (
        <p className={sourcesStyles.sourceError} role="alert">
          {save.error.message}
        </p>
      )}
      {isChecked && (
        <p className={styles.signingDone}>
          <TickCircleIcon size={14} /> Signatures are verified on every request.
        </p>
      )}
      <UnsavedDialog guard={guard} text="The signing secret you entered is not saved." />
    </form>
  );
}
