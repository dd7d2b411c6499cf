import { Button, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { proveAtProvider } from '#renderer/session/go-to-provider.ts';
import { onProofElsewhere, openProofTab } from '#renderer/session/proof-tab.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { askForPasskey, usePasskeyTrouble } from './passkey-browser.ts';
import { identitiesQuery, secondStepQuery } from './second-step.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** What the dialog is given. */
export interface ProofDialogProps {
  presence: DialogPresence;
  onProved: () => void;
  onCancelled: () => void;
}

/** Asks who it is: by the password, a passkey, or the provider that they sign in with. */
export function ProofDialog({ presence, onProved, onCancelled }: ProofDialogProps) {
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const [isElsewhere, setElsewhere] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const toasts = useToasts();
  const { data: state } = useQuery(secondStepQuery);
  const trouble = usePasskeyTrouble();
  const { data: own } = useQuery(identitiesQuery);
  // Those of providers that are gone from the configuration prove nothing.
  const identities = own?.identities.filter(({ providerName }) => providerName !== null) ?? [];
  // The desktop app's window goes to no other site.
  const providers = window.alertdesk ? [] : identities;
  const hasPasskey = trouble === undefined && state !== undefined && state.passkeys.length > 0;

  const endElsewhere = useEffectEvent(() => {
    onProved();
    presence.onClose();
  });
  useEffect(() => onProofElsewhere(endElsewhere), []);

  const proveAt = async (provider: string): Promise<void> => {
    const tab = openProofTab();
    setPending(tab === null);
    setElsewhere(tab !== null);
    try {
      await proveAtProvider(provider, tab);
    } catch (error) {
      const description = error instanceof Error ? error.message : '';
      toasts.show({ variant: 'destructive', title: texts.notConfirmed, description });
      setPending(false);
      setElsewhere(false);
    }
  };
  const prove = async (give: () => Promise<object>): Promise<void> => {
    setPending(true);
    try {
      await apiSend('POST', '/api/auth/proof', { body: await give() });
      onProved();
      presence.onClose();
    } catch (error) {
      toasts.show({
        variant: 'destructive',
        title: texts.notConfirmed,
        description: error instanceof Error ? error.message : '',
      });
      setPending(false);
      field.current?.select();
    }
  };

  return (
    <FormDialog
      title={texts.confirmYourIdentity}
      subtitle={texts.thisAffectsWhoCanSign}
      presence={{
        ...presence,
        onClose: () => {
          presence.onClose();
          onCancelled();
        },
      }}
      onSubmit={() => void prove(async () => ({ password }))}
      submit={{ text: texts.confirm, pendingText: 'Confirming...', isPending }}
    >
      <FormField label={pageTexts.password}>
        {(ids) => (
          <InputGroup
            {...ids}
            inputRef={field}
            type="password"
            autoComplete="current-password"
            required
            maxLength={1024}
            value={password}
            onValueChange={setPassword}
          />
        )}
      </FormField>
      {providers.map(({ id, provider, providerName }) => (
        <Button
          key={id}
          text={texts.signInWithAgainInstead(inertLine(providerName ?? provider))}
          aria-disabled={isPending || undefined}
          onClick={() => !isPending && void proveAt(provider)}
        />
      ))}
      {isElsewhere && <output className={styles.hint}>{texts.signInOnTabThat}</output>}
      {window.alertdesk && identities.length > 0 && <p className={styles.hint}>{texts.ifYouHaveNoPassword}</p>}
      {hasPasskey && (
        <Button
          text={texts.passkeyInstead}
          aria-disabled={isPending || undefined}
          onClick={() =>
            !isPending &&
            void prove(async () => ({ credential: await askForPasskey('/api/auth/proof/passkey-options') }))
          }
        />
      )}
    </FormDialog>
  );
}
