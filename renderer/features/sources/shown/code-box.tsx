import { Button } from '@blueprintjs/core';
import { CrossIcon, DuplicateIcon, TickIcon } from '@blueprintjs/icons';
import { useRef } from 'react';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import type { TextPart } from '#renderer/features/sources/set-up/fill-in.ts';
import { keyed } from './keyed.ts';
import { useCopy } from './use-copy.ts';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './code-box.module.css';

interface CodeBoxProps {
  /** Names the text: "alertmanager.yml". */
  label: string;
  parts: readonly TextPart[];
  /** What is copied: plain and complete. */
  text: string;
  onCopied?: (() => void) | undefined;
}

/** Code to take along; what is filled in for this source is marked. */
export function CodeBox({ label, parts, text, onCopied }: CodeBoxProps) {
  const shown = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(shown);
  const take = async (): Promise<void> => {
    if (await copy(text)) onCopied?.();
  };
  return (
    <div className={styles.box} onCopy={() => onCopied?.()}>
      <ScrollRegion ref={shown} label={label} className={styles.code_text}>
        {keyed(parts).map(({ key, item: { text: part, kind } }) => (
          <span key={key} className={kind === 'plain' ? undefined : styles[`code_${kind}`]}>
            {part}
          </span>
        ))}
      </ScrollRegion>
      <Button
        className={classNames(styles.copy, styles[`copy_${state}`])}
        icon={
          state === 'copied' ? (
            <TickIcon size={14} />
          ) : state === 'failed' ? (
            <CrossIcon size={14} />
          ) : (
            <DuplicateIcon size={14} />
          )
        }
        text={state === 'copied' ? texts.copied : state === 'failed' ? common.failedToCopy : texts.copy}
        aria-label={state === 'rest' ? texts.copyOne(label) : undefined}
        onClick={() => void take()}
      />
    </div>
  );
}
