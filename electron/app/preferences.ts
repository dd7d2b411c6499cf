import process from 'node:process';
import { app } from 'electron';
import type { PreferenceChange, Preferences } from '#electron/contract/desktop.ts';
import type { Log } from '#electron/logs/logs.ts';
import type { GlobalShortcut } from '#electron/shortcuts/global-shortcut.ts';
import { type State, createState } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { HIDDEN_SWITCH } from './app-link.ts';

const START_ARGUMENTS = [HIDDEN_SWITCH];

/** Whether the system starts the app, which can also be switched off in Windows' settings and its Task Manager. */
function startsNow(): Partial<Preferences> {
  if (!app.isPackaged || process.platform === 'linux') return {};
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args: START_ARGUMENTS });
  return { startWithSystem: openAtLogin && (process.platform !== 'win32' || executableWillLaunchAtLogin) };
}

/** What the user has set on this machine, in effect and remembered. */
export function setupPreferences(
  store: Store,
  shortcut: GlobalShortcut,
  log: Log,
): { state: State<Preferences>; change: (change: PreferenceChange) => Preferences } {
  const state = createState({ ...store.get().preferences, ...startsNow() });
  try {
    shortcut.use(state.get().globalShortcut);
  } catch (error) {
    // Another program was quicker this time: the setting stays.
    log.warn('the global shortcut is taken', { error: String(error) });
  }
  return {
    state,
    change({ startWithSystem, globalShortcut, isCriticalUrgent }) {
      if (globalShortcut !== undefined) shortcut.use(globalShortcut);
      if (startWithSystem !== undefined && app.isPackaged) {
        // From the sources the program is Electron itself, which would start without its app.
        app.setLoginItemSettings({ openAtLogin: startWithSystem, args: START_ARGUMENTS });
      }
      const before = state.get();
      const after = {
        startWithSystem: startWithSystem ?? before.startWithSystem,
        globalShortcut: globalShortcut === undefined ? before.globalShortcut : globalShortcut,
        isCriticalUrgent: isCriticalUrgent ?? before.isCriticalUrgent,
      };
      store.change({ preferences: after });
      state.set(after);
      return after;
    },
  };
}
