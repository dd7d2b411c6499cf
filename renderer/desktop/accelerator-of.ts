/** What of a keyboard event names its keys. */
interface Keys {
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/**
 * The pressed keys as Electron writes a shortcut, e.g. `Control+Alt+A`; undefined while they are none: a letter, digit,
 * function key or the space bar, with Ctrl or Alt, so that typing is never taken for it.
 */
export function acceleratorOf({ code, ctrlKey, altKey, shiftKey }: Keys): string | undefined {
  const key = /^(?:Key([A-Z])|Digit(\d)|(F\d{1,2})|(Space))$/
    .exec(code)
    ?.slice(1)
    .find((part) => part !== undefined);
  if (key === undefined || !(ctrlKey || altKey)) return undefined;
  return [ctrlKey && 'Control', altKey && 'Alt', shiftKey && 'Shift', key].filter((part) => part !== false).join('+');
}
