import { Button } from '@blueprintjs/core';
import { DuplicateIcon } from '@blueprintjs/icons';
import { useRef, useState } from 'react';
import type { SecretKind } from '#backend/contract/source.ts';
import { SecretField } from '#renderer/features/sources/shown/secret-field.tsx';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import type { ShownSecret } from '#renderer/features/sources/shown/use-uncopied.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { maskWhole, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import * as texts from './texts.tsx';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

const COPY_LABELS: Record<SecretKind, string> = {
  key: pageTexts.copyApiKey,
  token: sourceTexts.copyAddress,
  signing: texts.copySigningSecret,
};

interface LeaveDialogProps {
  isOpen: boolean;
  /** What leaving means; by default, for the secrets of a source. */
  text?: string;
  /** Those that were not copied. */
  secrets: readonly ShownSecret[];
  onStay: () => void;
  onCopied: (kinds: readonly SecretKind[]) => void;
  onLeave: () => void;
}

/** Asks before the only view of secrets is left without them, and shows those that were not copied. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { isOpen, text: hint = texts.youWontBeAbleTo, secrets, onStay, onCopied, onLeave } = props;
  const field = useRef<HTMLDivElement>(null);
  const { copy } = useCopy(field);
  const { isMasked, unmask } = useMaskWhenAway();
  // What is copied here stays here.
  const [shown, setShown] = useState(secrets);
  const isNew = secrets.some(({ text }) => shown.every((one) => one.text !== text));
  if (isNew || (!isOpen && shown.length !== secrets.length)) setShown(secrets);
  const copyAndLeave = async (): Promise<void> => {
    if (!(await copy(shown.map(({ text }) => text).join('\n')))) return;
    onCopied(shown.map(({ kind }) => kind));
    onLeave();
  };
  return (
    <DescribedDialog
      isOpen={isOpen}
      onClose={onStay}
      className={styles.dialog}
      title={texts.leaveWithoutCopyingCredential}
      subtitle={hint}
      onOpening={(dialog) => dialog.querySelector<HTMLElement>('[data-copy-all]')?.focus()}
      actions={
        <div className={styles.actions}>
          <Button text={texts.leaveWithoutIt} onClick={onLeave} />
          <Button
            data-copy-all
            intent="primary"
            icon={<DuplicateIcon />}
            text={texts.copyAndLeave}
            onClick={() => void copyAndLeave()}
          />
        </div>
      }
    >
      <div ref={field}>
        {shown.map(({ kind, text }) => (
          <SecretField
            key={kind}
            copyLabel={COPY_LABELS[kind]}
            text={text}
            masked={isMasked ? maskWhole(text) : undefined}
            onUnmask={unmask}
            onCopied={() => onCopied([kind])}
          />
        ))}
      </div>
    </DescribedDialog>
  );
}
