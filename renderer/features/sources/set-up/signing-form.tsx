import { Button } from '@blueprintjs/core';
import { TickCircleIcon } from '@blueprintjs/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { putSource } from '#renderer/features/sources/data/get-sources.ts';
import { addSigningSecret, changeSource, takeOverKey } from '#renderer/features/sources/data/source-commands.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './set-up.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';

interface SigningFormProps {
  source: Source;
  scheme: SignatureScheme;
}

/** Takes the secret over that the sender shows, and has every request checked from then on. */
export function SigningForm({ source, scheme }: SigningFormProps) {
  const client = useQueryClient();
  const isChecked = source.settings.auth.signature === scheme;
  return (
    <SecretForm
      label={sourceTexts.signingSecret}
      placeholder={isChecked ? texts.newSigningSecret : sourceTexts.signingSecret}
      unsaved={texts.signingSecretYouEnteredIs}
      done={isChecked ? texts.signaturesAreVerifiedOnEvery : undefined}
      onSave={async (secret) => {
        await addSigningSecret(source.id, secret);
        await changeSource(client, source, { settings: { auth: { ...source.settings.auth, signature: scheme } } });
      }}
    />
  );
}

/** Takes a key over that senders have already: for them only the host changes. */
export function OwnKeyForm({ source }: { source: Source }) {
  const client = useQueryClient();
  const [hint, setHint] = useState<string>();
  return (
    <SecretForm
      label={texts.existingApiKey}
      placeholder={texts.existingApiKey}
      unsaved={texts.apiKeyYouEnteredIs}
      done={hint === undefined ? undefined : texts.keyAccepted(hint)}
      onSave={async (secret) => {
        const { source: changed } = await takeOverKey(source.id, secret);
        putSource(client, changed);
        setHint(secret.slice(-4));
      }}
    />
  );
}

interface SecretFormProps {
  label: string;
  placeholder: string;
  /** What is asked before somebody leaves with a text that is not saved. */
  unsaved: string;
  /** What is so since it was saved. */
  done: string | undefined;
  onSave: (secret: string) => Promise<void>;
}

/** A field for a secret. It keeps its own text, because React would repeat it in an attribute. */
function SecretForm({ label, placeholder, unsaved, done, onSave }: SecretFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isEmpty, setEmpty] = useState(true);
  const guard = useLeaveGuard(!isEmpty);
  const save = useMutation({
    gcTime: 0,
    mutationFn: onSave,
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
  return (
    <form className={styles.signing} onSubmit={submit} noValidate>
      <label className="ad-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        ref={field}
        id={id}
        className={`bp6-input ${styles.signingField}`}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onChange={({ target }) => setEmpty(target.value.trim() === '')}
      />
      <Button type="submit" text={save.isPending ? texts.saving : pageTexts.save} disabled={isEmpty} />
      {save.error && (
        <p className={sourcesStyles.sourceError} role="alert">
          {save.error.message}
        </p>
      )}
      {done !== undefined && (
        <output className={styles.signingDone}>
          <TickCircleIcon size={14} /> {done}
        </output>
      )}
      <UnsavedDialog guard={guard} text={unsaved} />
    </form>
  );
}
