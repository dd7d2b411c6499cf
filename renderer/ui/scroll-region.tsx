import type { FocusEventHandler, ReactNode, Ref } from 'react';

/** What scrolls by itself must be within the keyboard's reach, though it is no control (WCAG 2.1.1). */
const keyboardReach = { tabIndex: 0 };

/** A part of a dialog that scrolls by itself. `label` names it to screen readers. */
export function ScrollRegion({
  ref,
  label,
  className,
  children,
  ...focus
}: {
  ref?: Ref<HTMLElement>;
  label: string;
  className: string;
  children: ReactNode;
  onFocus?: FocusEventHandler;
  onBlur?: FocusEventHandler;
}) {
  return (
    <section ref={ref} {...keyboardReach} {...focus} aria-label={label} className={className}>
      {children}
    </section>
  );
}
