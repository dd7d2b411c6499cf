import { Button, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { proveAtProvider } from '#renderer/session/go-to-provider.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { type DialogPresence, useDialog } from '#renderer/ui/use-dialog.ts';
import { askForPasskey, usePasskeyTrouble } from './passkey-browser.ts';
import { identitiesQuery, isProofDue, secondStepQuery } from './second-step.ts';

/** The member was asked for a proof and gave none: nothing has happened. */
export class ProofCancelled extends Error {}

/**
 * For changes that ask for a recent proof: `withProof` runs one, asks for the password or a passkey where that is due, and
 * runs it again. It throws {@link ProofCancelled} where none was given. `dialog` is to be drawn.
 *
 * @param reason why it asks, as a sentence
 */
export function useProof(reason = 'This changes how people sign in.'): {
  withProof: <T>(work: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const { shown, open } = useDialog<{ proved: () => void; cancelled: () => void }>();
  const withProof = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isProofDue(error)) throw error;
    }
    await new Promise<void>((proved, reject) => {
      open({ proved, cancelled: () => reject(new ProofCancelled()) });
    });
    return work();
  };
  return {
    withProof,
    dialog: shown && (
      <ProofDialog key={`proof ${shown.key}`} presence={shown.presence} reason={reason} {...shown.subject} />
    ),
  };
}

interface ProofDialogProps {
  presence: DialogPresence;
  reason: string;
  proved: () => void;
  cancelled: () => void;
}

function ProofDialog({ presence, reason, proved, cancelled }: ProofDialogProps) {
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const toasts = useToasts();
  const { data: state } = useQuery(secondStepQuery);
  const trouble = usePasskeyTrouble();
  const { data: own } = useQuery(identitiesQuery);
  // The desktop app's window goes to no other site.
  const providers = window.alertdesk ? [] : (own?.identities ?? []);
  const hasPasskey = trouble === undefined && state !== undefined && state.passkeys.length > 0;

  const prove = async (give: () => Promise<object>): Promise<void> => {
    setPending(true);
    try {
      await apiSend('POST', '/api/auth/proof', { body: await give() });
      proved();
      presence.onClose();
    } catch (error) {
      toasts.show({
        variant: 'destructive',
        title: 'Not confirmed',
        description: error instanceof Error ? error.message : '',
      });
      setPending(false);
      field.current?.select();
    }
  };

  return (
    <FormDialog
      title="Confirm that it is you"
      subtitle={`${reason} For the next ten minutes you are not asked again.`}
      presence={{
        ...presence,
        onClose: () => {
          presence.onClose();
          cancelled();
        },
      }}
      onSubmit={() => void prove(async () => ({ password }))}
      submit={{ text: 'Confirm', pendingText: 'Confirming...', isPending }}
    >
      <FormField label="Password">
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
          text={`Sign in with ${inertLine(providerName ?? provider)} again instead`}
          aria-disabled={isPending || undefined}
          onClick={() => {
            if (isPending) return;
            setPending(true);
            proveAtProvider(provider).catch((error: unknown) => {
              const description = error instanceof Error ? error.message : '';
              toasts.show({ variant: 'destructive', title: 'Not confirmed', description });
              setPending(false);
            });
          }}
        />
      ))}
      {hasPasskey && (
        <Button
          text="Use a passkey instead"
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
