/**
 * A `ref` for what goes by itself or when it was used, such as a bar that comes with a selection: has it the focus then, what
 * `findNext` finds gets it. Made once, outside of what is drawn.
 */
export const passFocus =
  (findNext: (part: HTMLElement) => HTMLElement | null | undefined) =>
  (part: HTMLElement | null): (() => void) | undefined =>
    part
      ? () => {
          // What it has is still in the page here.
          if (part.contains(document.activeElement)) findNext(part)?.focus({ preventScroll: true });
        }
      : undefined;
