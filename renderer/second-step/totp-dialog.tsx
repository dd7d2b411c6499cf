import { InputGroup } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { renderSVG } from 'uqr';
import type { RecoveryCodes, TotpKey } from '#backend/contract/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { CopyField } from '#renderer/ui/copy-button.tsx';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { mask, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { confirmTotp, useSecondStepChange } from './second-step.ts';
import * as texts from './texts.ts';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './second-step.module.css';

interface TotpDialogProps {
  totp: TotpKey;
  presence: DialogPresence;
  onDone: (codes: RecoveryCodes) => void;
}

/** Sets up an authenticator app: its key as a QR code and as text, and the code that confirms it. */
export function TotpDialog({ totp, presence, onDone }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const confirm = useSecondStepChange(confirmTotp);
  const toasts = useToasts();
  const { isMasked, unmask } = useMaskWhenAway();
  const submit = (): void =>
    confirm.mutate(code, {
      onSuccess: (codes) => {
        presence.onClose();
        toasts.show({ intent: 'done', title: texts.authenticatorAppSetUp });
        onDone(codes);
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToSetUpApp, description: message }),
    });
  return (
    <FormDialog
      title={texts.setUpAuthenticatorApp}
      subtitle={texts.scanThisWithYourAuthenticator}
      presence={presence}
      isMakingSecret={confirm.isPending}
      onSubmit={submit}
      submit={{ text: texts.confirm, pendingText: 'Confirming...', isPending: confirm.isPending }}
    >
      {isMasked ? <div className={styles.qrCode} /> : <QrCode text={totp.uri} />}
      <div className={formDialogStyles.field}>
        <span className={formDialogStyles.label}>{texts.orEnterThisKeyIn}</span>
        <CopyField
          copyLabel={texts.copyKey}
          text={totp.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          masked={isMasked ? mask('') : undefined}
          onUnmask={unmask}
        />
      </div>
      <FormField label={texts.code}>
        {(ids) => (
          <InputGroup
            {...ids}
            data-first-field
            autoComplete="one-time-code"
            inputMode="numeric"
            pattern="(?:\s?\d){6}\s?"
            title={texts.sixDigits}
            required
            maxLength={9}
            value={code}
            onValueChange={setCode}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

/** Blank modules around the code, by which scanners find it. */
const QUIET_ZONE = 4;

/** A QR code that is made in this page: what it holds is a secret. */
function QrCode({ text }: { text: string }) {
  const address = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: QUIET_ZONE }))}`,
    [text],
  );
  return <img className={styles.qrCode} src={address} alt={texts.qrCodeForYourAuthenticator} />;
}
