import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchShown } from './watch-shown.ts';

/** A window, hidden at first, and what becomes of it: by the event that Electron reports then. */
function openWindow() {
  const is = { visible: false, minimized: false };
  const window = Object.assign(new EventEmitter(), {
    isVisible: () => is.visible,
    isMinimized: () => is.minimized,
  });
  const shown = watchShown(window);
  const become = (event: string, now: Partial<typeof is>) => {
    Object.assign(is, now);
    window.emit(event);
    return shown.get();
  };
  return { shown, become };
}

test('a window is shown while it is neither in the tray nor minimized', () => {
  const { shown, become } = openWindow();
  const seen: boolean[] = [];
  shown.subscribe((isShown) => void seen.push(isShown));
  expect(become('show', { visible: true })).toBe(true);
  expect(become('minimize', { minimized: true })).toBe(false);
  expect(become('hide', { visible: false })).toBe(false);
  expect(become('restore', { minimized: false })).toBe(false);
  expect(become('show', { visible: true })).toBe(true);
  expect(become('hide', { visible: false })).toBe(false);
  expect(seen).toEqual([false, true, false, true, false]);
});

test.each(['restore', 'maximize', 'enter-full-screen', 'focus'])(
  'a window that comes back from the taskbar is shown, also where that is reported as %s',
  (event) => {
    const { become } = openWindow();
    become('show', { visible: true });
    expect(become('minimize', { minimized: true })).toBe(false);
    expect(become(event, { minimized: false })).toBe(true);
  },
);
