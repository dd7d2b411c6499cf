/** The search field of the screen, for the key and the command that lead to it. */
let target: HTMLInputElement | null = null;

/** Whether the screen's field is still being fetched. */
let isComing = false;

/** What was typed for a field that is still being fetched; undefined while nothing was. */
let typed: string | undefined;

/** Notes the field that is on screen, and gives it what was typed for it; for a `ref`. */
export function noteSearchField(field: HTMLInputElement | null): void {
  target = field;
  if (!field || typed === undefined) return;
  const text = typed;
  typed = undefined;
  // Once the field's handlers are in place.
  queueMicrotask(() => {
    field.focus();
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Notes that a field is being fetched, or is not any more. */
export function noteSearchFieldComing(is: boolean): void {
  isComing = is;
  if (!is && !target) typed = undefined;
}

/** Gives the focus to the search field, with its text selected, now or once it is there. Returns whether the screen has one. */
export function focusSearchField(): boolean {
  if (target?.isConnected) {
    target.focus();
    target.select();
    return true;
  }
  if (isComing) typed ??= '';
  return isComing;
}

/** Takes a key that is meant for a field that is still being fetched: it is not for the card that has the focus. */
export function typeIntoComingField(key: string): boolean {
  if (typed === undefined) return false;
  if (key === 'Escape') typed = undefined;
  else if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  return true;
}
