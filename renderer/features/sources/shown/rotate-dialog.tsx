import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import type { Source } from '#backend/contract/source.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { maskWhole, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useRotateSecret } from '#renderer/features/sources/data/source-commands.ts';
import { SecretField } from './secret-field.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as sourcesStyles from './sources.module.css';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** What is replaced: the secret of headers, or the token of the address. */
export interface Rotation {
  source: Source;
  kind: 'key' | 'token';
}

const WORDS = {
  key: {
    title: sourceTexts.rotateApiKey,
    what: sourceTexts.apiKey,
    action: sourceTexts.rotateApiKey,
    copy: pageTexts.copyApiKey,
  },
  token: {
    title: sourceTexts.newAddress,
    what: texts.address,
    action: texts.createNewAddress,
    copy: sourceTexts.copyAddress,
  },
};

const focusNow = (button: HTMLElement | null): void => button?.focus();

/** Asks, rotates, and shows the new API key or address, once. Until it was copied, closing asks first. */
export function RotateDialog({
  rotation: { source, kind },
  presence,
}: {
  rotation: Rotation;
  presence: DialogPresence;
}) {
  const rotate = useRotateSecret(source.id);
  const [shown, setShown] = useState<string>();
  const [isCopied, setCopied] = useState(false);
  const { isMasked, unmask } = useMaskWhenAway();
  const guard = useLeaveGuard(shown !== undefined && !isCopied);
  const [isClosing, setClosing] = useState(false);
  const isAsking = isClosing || guard.isAsked;
  const { title, what, action, copy } = WORDS[kind];

  const start = (): void => {
    rotate.mutate(kind, {
      onSuccess: ({ plain }) =>
        setShown(kind === 'key' ? (plain.key ?? '') : `${window.location.origin}/in/${plain.token ?? ''}`),
    });
  };
  const close = (): void => {
    // Nothing takes back what is being created: closed now, nobody would ever see it.
    if (rotate.isPending) return;
    if (shown === undefined || isCopied || isAsking) closeWithout();
    else setClosing(true);
  };
  const closeWithout = (): void => {
    presence.onClose();
    if (guard.isAsked) guard.leave();
  };
  const keepOpen = (): void => {
    setClosing(false);
    if (guard.isAsked) guard.stay();
  };
  return (
    <DescribedDialog
      {...presence}
      onClose={close}
      className={styles.dialog}
      title={shown === undefined ? texts.rotateQuestion(title, inertLine(source.name)) : texts.newWhat(what)}
      canOutsideClickClose={shown === undefined}
      subtitle={
        shown === undefined
          ? texts.rotateHint(what)
          : kind === 'key'
            ? sourceTexts.saveKeyHint
            : sourceTexts.saveAddressHint
      }
      actions={
        <div className={styles.actions}>
          {shown === undefined ? (
            <>
              <Button text={pageTexts.cancel} disabled={rotate.isPending} onClick={close} />
              <Button intent="primary" text={action} ref={focusNow} loading={rotate.isPending} onClick={start} />
            </>
          ) : isAsking && !isCopied ? (
            <>
              <Button text={texts.closeWithoutIt} onClick={closeWithout} />
              <Button intent="primary" text={texts.keepOpen} ref={focusNow} onClick={keepOpen} />
            </>
          ) : (
            <Button intent="primary" text={pageTexts.done} ref={focusNow} onClick={close} />
          )}
        </div>
      }
    >
      <HoldWhile isPending={rotate.isPending} />
      {rotate.error && (
        <p role="alert" className={sourcesStyles.sourceError}>
          {rotate.error.message}
        </p>
      )}
      {shown !== undefined && (
        <SecretField
          copyLabel={copy}
          text={shown}
          masked={isMasked ? maskWhole(shown) : undefined}
          onUnmask={unmask}
          onCopied={() => setCopied(true)}
        />
      )}
      {isAsking && !isCopied && (
        <p role="alert" className={sourcesStyles.sourceQuestion}>
          {texts.youHaveNotCopiedIt}
        </p>
      )}
    </DescribedDialog>
  );
}
