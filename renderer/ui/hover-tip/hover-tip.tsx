import { type ReactNode, Suspense } from 'react';
import { lazyExtra } from '#renderer/lib/lazy-part.ts';
import { useHoverTip } from './use-hover-tip.ts';
import './hover-tip.css';

const TipBubble = lazyExtra(async () => (await import('./tip-bubble.tsx')).TipBubble);

/**
 * One tooltip for everything inside that has a `data-tip`: shown when the text there is cut off, or always with
 * `data-tip-always`; at once with `data-tip-now`, on the side `data-tip-side`, with the count `data-tip-count`. A tooltip per
 * value would cost a list more than its cards.
 */
export function HoverTip({ className, children }: { className?: string; children: ReactNode }) {
  const { tip, handlers } = useHoverTip();
  return (
    // These listen to what bubbles up from the controls inside; the element itself is no control.
    <div role="presentation" className={className} {...handlers}>
      {children}
      {tip && (
        <Suspense>
          <TipBubble key={`${tip.rect.left} ${tip.rect.top} ${tip.text}`} tip={tip} />
        </Suspense>
      )}
    </div>
  );
}
