import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Keys without a modifier. Who speaks to the device, or types by accident, switches them off (WCAG 2.1.4). */
const singleKeysAtom = atomWithStorage<boolean>(
  'single-keys-enabled',
  true,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** Whether keys without a modifier do something in this browser, and the switch; shared by its tabs. */
export const useSingleKeys = (): [boolean, (isOn: boolean) => void] => useAtom(singleKeysAtom);

/** Where a letter is typed, or chosen in a menu, and does nothing else; the last are Blueprint's stops around an open dialog. */
const TYPING =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"], dialog, [class*="focus-trap"]:not([class*="-exit"])';

/** Whether a key is for what has the focus: a field, a menu, a dialog. */
export const isTyping = ({ target }: Pick<KeyboardEvent, 'target'>): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;
