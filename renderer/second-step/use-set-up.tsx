import { type ReactNode, useRef, useState } from 'react';
import type { Passkey, RecoveryCodes, TotpKey } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { type DialogPresence, useDialog } from '#renderer/ui/use-dialog.ts';
import { PasskeyDialog, RenamePasskeyDialog } from './passkey-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { beginTotp, renewRecoveryCodes } from './second-step.ts';
import { TotpDialog } from './totp-dialog.tsx';
import * as texts from './texts.ts';

/** How a second step is set up, on whatever screen. `dialogs` are to be drawn. */
export interface SetUp {
  addTotp: () => void;
  addPasskey: () => void;
  renamePasskey: (passkey: Passkey) => void;
  renewCodes: () => void;
  dialogs: ReactNode;
}

/** @param onDone a second step was set up, and the codes that came with it are kept */
export function useSetUp(onDone: () => void = () => undefined): SetUp {
  const totp = useDialog<TotpKey>();
  const passkey = useDialog();
  const renaming = useDialog<Passkey>();
  const codes = useDialog<readonly string[]>();
  const toasts = useToasts();

  const showCodes = ({ recoveryCodes }: RecoveryCodes): void => {
    if (recoveryCodes) codes.open(recoveryCodes);
    else onDone();
  };
  // One dialog after the other: codes come when the one that led to them has gone.
  const added = useRef<RecoveryCodes>(undefined);
  const thenCodes = (presence: DialogPresence): DialogPresence => ({
    ...presence,
    onClosed: () => {
      presence.onClosed();
      if (added.current) showCodes(added.current);
      added.current = undefined;
    },
  });
  const keep = (result: RecoveryCodes): void => {
    added.current = result;
  };
  const [isBeginning, setBeginning] = useState(false);
  const begin = async <T,>(title: string, work: () => Promise<T>, next: (result: T) => void): Promise<void> => {
    // Another call would end what this one makes.
    if (isBeginning) return;
    setBeginning(true);
    try {
      next(await work());
    } catch (error) {
      toasts.show({ variant: 'destructive', title, description: error instanceof Error ? error.message : '' });
    } finally {
      setBeginning(false);
    }
  };
  return {
    addTotp: () => void begin(texts.failedToSetUpApp, beginTotp, totp.open),
    addPasskey: () => passkey.open(true),
    renamePasskey: (subject) => renaming.open(subject),
    renewCodes: () => void begin(texts.failedToMakeNewCodes, renewRecoveryCodes, showCodes),
    // Two may be on screen while one fades: of siblings, no two have the same key.
    dialogs: (
      <>
        <HoldWhile isPending={isBeginning} />
        {totp.shown && (
          <TotpDialog
            key={`totp ${totp.shown.key}`}
            totp={totp.shown.subject}
            presence={thenCodes(totp.shown.presence)}
            onDone={keep}
          />
        )}
        {passkey.shown && (
          <PasskeyDialog
            key={`passkey ${passkey.shown.key}`}
            presence={thenCodes(passkey.shown.presence)}
            onDone={keep}
          />
        )}
        {renaming.shown && (
          <RenamePasskeyDialog
            key={`rename ${renaming.shown.key}`}
            passkey={renaming.shown.subject}
            presence={renaming.shown.presence}
          />
        )}
        {codes.shown && (
          <RecoveryCodesDialog
            key={`codes ${codes.shown.key}`}
            codes={codes.shown.subject}
            presence={{
              ...codes.shown.presence,
              onClosed: () => {
                codes.shown?.presence.onClosed();
                onDone();
              },
            }}
          />
        )}
      </>
    ),
  };
}
