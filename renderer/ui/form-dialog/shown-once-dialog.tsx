import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { CopyField } from '#renderer/ui/copy-button.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { maskWhole, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as copyButtonStyles from '#renderer/ui/copy-button.module.css';
import * as styles from './form-dialog.module.css';

interface ShownOnceDialogProps {
  title: string;
  /** What the secret is called in a sentence, such as "key". */
  what: string;
  copyLabel: string;
  text: string;
  /** What is to be known of it; by default, that it is to be saved. */
  note?: ReactNode;
  /** Somebody else gets it anyway: nothing is asked. */
  isSent?: boolean;
  /** Whether Done asks, too, while it has not been copied. */
  asksOnDone?: boolean;
  presence: DialogPresence;
}

const focusCopy = (dialog: HTMLElement): void =>
  dialog.querySelector<HTMLElement>(`.${copyButtonStyles.button}`)?.focus();

const focusNow = (button: HTMLElement | null): void => button?.focus();

/**
 * Shows a new secret, once. A click beside it does not take it away; while it has not been copied, Escape and leaving the page
 * ask first.
 */
export function ShownOnceDialog(props: ShownOnceDialogProps) {
  const { title, what, copyLabel, text, note, isSent = false, asksOnDone = false, presence } = props;
  const [isCopied, setCopied] = useState(isSent);
  const guard = useLeaveGuard(!isCopied);
  const [isClosing, setClosing] = useState(false);
  const { isMasked, unmask } = useMaskWhenAway();
  const isAsking = isClosing || guard.isAsked;
  const close = (): void => {
    if (isCopied) presence.onClose();
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
    <Dialog
      {...presence}
      onClose={close}
      onOpening={focusCopy}
      // The dialog before this one gives the focus back while it fades.
      onOpened={focusCopy}
      className={styles.dialog}
      title={title}
      aria-describedby="ad-shown-once-note"
      canOutsideClickClose={false}
      isCloseButtonShown={false}
    >
      <DialogBody useOverflowScrollContainer={false}>
        <p id="ad-shown-once-note" className="ad-dialog-subtitle">
          {note ?? <>{texts.saveSecret(what)}</>}
        </p>
        <div className={styles.copyFieldWrap} onCopy={() => setCopied(true)}>
          <CopyField
            copyLabel={copyLabel}
            text={text}
            masked={isMasked ? maskWhole(text) : undefined}
            onUnmask={unmask}
            onCopied={() => setCopied(true)}
          />
        </div>
        {isAsking && !isCopied && (
          <p role="alert" className={styles.question}>
            {texts.notCopied(what)}
          </p>
        )}
      </DialogBody>
      <div className={styles.actions}>
        {isAsking && !isCopied ? (
          <>
            <Button intent="danger" text={texts.closeWithout(what)} onClick={closeWithout} />
            <Button intent="primary" text={texts.keepOpen} ref={focusNow} onClick={keepOpen} />
          </>
        ) : (
          // In the place of the question, whose buttons had the focus.
          <Button
            intent="primary"
            text={pageTexts.done}
            ref={focusNow}
            onClick={asksOnDone ? close : presence.onClose}
          />
        )}
      </div>
    </Dialog>
  );
}
