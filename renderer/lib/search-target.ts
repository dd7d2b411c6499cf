/** The search field of the screen, for the key and the command that lead to it. */
let target: HTMLInputElement | null = null;

/** Notes the field that is on screen; for a `ref`. */
export function noteSearchField(field: HTMLInputElement | null): void {
  target = field;
}

/** Gives the focus to the search field, with its text selected. Returns whether the screen has one. */
export function focusSearchField(): boolean {
  if (!target?.isConnected) return false;
  target.focus();
  target.select();
  return true;
}
