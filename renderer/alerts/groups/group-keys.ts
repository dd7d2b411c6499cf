import * as texts from './texts.ts';

/** Keys of groups: O takes the focused alert out of the open one, ⇧O splits the open or the focused one. */
export const GROUP_KEYS = {
  takeOut: { key: 'o', label: texts.takeOutOfGroup },
  split: { key: 'o', isShifted: true, label: texts.splitGroup },
} as const;
