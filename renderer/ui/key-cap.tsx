/** A key as it is written on the keyboard, for who has one; assistive technology has it from `aria-keyshortcuts`. */
export const KeyCap = ({ label, className = '' }: { label: string; className?: string }) => (
  <kbd className={`ad-kbd ad-kbd--hint ${className}`} aria-hidden>
    {label}
  </kbd>
);

/** How a tooltip shows the key of its button. */
export const tipWithKey = (text: string, key: string | undefined) => ({
  'data-tip': text,
  'data-tip-always': true,
  ...(key !== undefined && { 'data-tip-key': key }),
});

/** How ARIA writes a key that is shown as "⇧A": "Shift+A". */
export const ariaKey = (label: string): string => label.replace('⇧', 'Shift+');
