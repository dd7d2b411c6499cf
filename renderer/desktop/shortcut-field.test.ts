import { expect, test } from 'vitest';
import { preferenceChangeSchema } from '#electron/contract/desktop.ts';
import { acceleratorOf } from './shortcut-field.tsx';

const pressed = (code: string, ...held: ('ctrlKey' | 'altKey' | 'shiftKey')[]) => ({
  code,
  ctrlKey: held.includes('ctrlKey'),
  altKey: held.includes('altKey'),
  shiftKey: held.includes('shiftKey'),
});

test.each([
  [pressed('KeyA', 'ctrlKey', 'altKey'), 'Control+Alt+A'],
  [pressed('Digit7', 'ctrlKey', 'shiftKey'), 'Control+Shift+7'],
  [pressed('F12', 'altKey'), 'Alt+F12'],
  [pressed('Space', 'ctrlKey', 'altKey', 'shiftKey'), 'Control+Alt+Shift+Space'],
])('%o is %s, which the main process takes', (keys, accelerator) => {
  expect(acceleratorOf(keys)).toBe(accelerator);
  expect(preferenceChangeSchema.safeParse({ globalShortcut: accelerator }).success).toBe(true);
});

test.each([
  pressed('KeyA'),
  pressed('KeyA', 'shiftKey'),
  pressed('ControlLeft', 'ctrlKey'),
  pressed('Enter', 'ctrlKey'),
])('%o is no shortcut', (keys) => expect(acceleratorOf(keys)).toBeUndefined());
