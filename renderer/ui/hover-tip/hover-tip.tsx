import { Tooltip } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useHoverTip } from './use-hover-tip.ts';
import './hover-tip.css';

/**
 * One tooltip for everything inside that has a `data-tip`: shown when the text there is cut off, or always with
 * `data-tip-always`. A tooltip per value would cost a list more than its cards.
 */
export function HoverTip({ children }: { children: ReactNode }) {
  const { tip, handlers } = useHoverTip();
  return (
    // These listen to what bubbles up from the controls inside; the element itself is no control.
    <div role="presentation" {...handlers}>
      {children}
      {tip && (
        <Tooltip
          key={`${tip.rect.left} ${tip.rect.top} ${tip.text}`}
          isOpen
          content={<bdi className="ad-tip">{tip.text}</bdi>}
          placement="top"
          minimal
          transitionDuration={0}
          renderTarget={({ ref }) => (
            <span
              ref={ref}
              className="ad-tip-target"
              style={{ left: tip.rect.left, top: tip.rect.top, width: tip.rect.width, height: tip.rect.height }}
            />
          )}
        />
      )}
    </div>
  );
}
