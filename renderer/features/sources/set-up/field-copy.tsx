import { Button } from '@blueprintjs/core';
import { CrossIcon, DuplicateIcon, TickIcon } from '@blueprintjs/icons';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as styles from '#renderer/features/sources/shown/secret-field.module.css';

interface FieldCopyProps {
  name: string;
  text: string;
  onCopied: () => void;
}

/** Copies the value of a field. */
export function FieldCopy({ name, text, onCopied }: FieldCopyProps) {
  const { state, copy } = useCopy();
  const take = async (): Promise<void> => {
    if (await copy(text)) onCopied();
  };
  return (
    <Button
      className={classNames(styles.copy, styles[`copy_${state}`])}
      variant="minimal"
      aria-label={texts.copyField(name)}
      icon={state === 'copied' ? <TickIcon /> : state === 'failed' ? <CrossIcon /> : <DuplicateIcon />}
      onClick={() => void take()}
    />
  );
}
