import { Tooltip } from '@blueprintjs/core';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import * as styles from './hover-tip.module.css';

/** A tooltip and where its owner is on screen. */
export interface Tip {
  text: string;
  /** How many of what it names, if that is shown. */
  count: number | undefined;
  /** The key that does the same. */
  hotkey: string | undefined;
  rect: DOMRect;
  side: 'top' | 'right' | 'bottom-start';
}

/** A tooltip at its owner's place. Loaded when the first one is due: no screen needs it to be seen. */
export function TipBubble({ tip: { text, count, hotkey, rect, side } }: { tip: Tip }) {
  return (
    <Tooltip
      isOpen
      content={
        <>
          <bdi className={styles.tip}>{text}</bdi>
          {hotkey !== undefined && <KeyCap label={hotkey} className={styles.key} />}
          {badgeText(count) && <span className={styles.count}>{badgeText(count)}</span>}
        </>
      }
      placement={side}
      minimal
      transitionDuration={0}
      renderTarget={({ ref }) => (
        <span
          ref={ref}
          className={styles.target}
          style={{ left: rect.left, top: rect.top, width: rect.width, height: rect.height }}
        />
      )}
    />
  );
}
