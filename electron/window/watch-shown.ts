import { type State, createState } from '#electron/state.ts';

/** What may change it. A window that comes back from the taskbar in full screen is reported as entering that, not as restored. */
const EVENTS = [
  'show',
  'hide',
  'minimize',
  'restore',
  'maximize',
  'unmaximize',
  'enter-full-screen',
  'leave-full-screen',
  'focus',
] as const;

interface ShownWindow {
  isVisible(): boolean;
  isMinimized(): boolean;
  on(event: (typeof EVENTS)[number], listener: () => void): unknown;
}

/**
 * Whether a window is shown: neither in the tray nor minimized. Its page cannot know by itself, as it counts as visible while
 * it is not throttled.
 */
export function watchShown(window: ShownWindow): State<boolean> {
  const isShown = () => window.isVisible() && !window.isMinimized();
  const state = createState(isShown());
  for (const event of EVENTS) window.on(event, () => state.set(isShown()));
  return state;
}
