import process from 'node:process';
import { Notification, shell } from 'electron';
import type { DesktopNotification, NotificationState } from '#electron/contract/desktop.ts';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import type { Log } from '#electron/logs/logs.ts';
import { serverName } from '#electron/server/server-menu.ts';
import { type State, createState } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { type Pause, isPaused } from './pause.ts';
import { BUTTON_LABELS, type NotificationUse, type Toast, readActivation, toastXml } from './toast.ts';

/** How many notifications are remembered for a click that comes later. */
const REMEMBERED = 50;

/** Not every system says whether it has shown one: silence for so long is taken for yes, in milliseconds. */
const REPORT_TIMEOUT_MS = 2000;

/** The tag of what the app says of itself. */
const OWN_TAG = 'app';

/** Where each system lets people allow notifications again. */
const SETTINGS: Readonly<Record<string, string>> = {
  win32: 'ms-settings:notifications',
  darwin: 'x-apple.systempreferences:com.apple.preference.notifications',
};

export interface Notifications {
  state: State<NotificationState>;
  /** Resolves to whether the system took it. */
  show(notification: DesktopNotification): Promise<boolean>;
  /** Takes the notifications with these tags away; null: all. */
  close(tags: readonly string[] | null): void;
  /** A sentence of the app's own. */
  notify(title: string, body: string): void;
  pause(pause: Pause): void;
  resume(): void;
  openSettings(): Promise<void>;
}

interface NotificationParts {
  store: Store;
  log: Log;
  /** Used, with the server that it came from. */
  onUse: (use: NotificationUse, from: ServerChoice | null) => void;
  /** Whose alerts are shown. */
  server: () => ServerChoice | null;
}

/** Native notifications. The page decides which; a pause from the tray holds all. */
export function setupNotifications({ store, log, onUse, server }: NotificationParts): Notifications {
  // Without a reference an object is collected, and its click with it.
  const alive = new Map<string, Notification>();
  const state = createState<NotificationState>({
    status: Notification.isSupported() ? 'shown' : 'unsupported',
    pausedUntil: store.get().pausedUntil,
  });
  const setPause = (pausedUntil: string | null) => {
    store.change({ pausedUntil });
    state.set({ ...state.get(), pausedUntil });
  };
  let end: ReturnType<typeof setTimeout> | undefined;
  state.subscribe(({ pausedUntil }) => {
    clearTimeout(end);
    if (pausedUntil === null || pausedUntil === 'forever') return;
    end = setTimeout(() => setPause(null), Math.max(0, Date.parse(pausedUntil) - Date.now()));
    end.unref();
  });
  const present = (notification: Notification, tag: string): Promise<boolean> => {
    alive.get(tag)?.close();
    alive.delete(tag);
    alive.set(tag, notification);
    const [oldest] = alive.keys();
    if (alive.size > REMEMBERED && oldest !== undefined) alive.delete(oldest);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), REPORT_TIMEOUT_MS);
      const settle = (status: 'shown' | 'blocked') => {
        clearTimeout(timer);
        state.set({ ...state.get(), status });
        resolve(status === 'shown');
      };
      notification.on('show', () => settle('shown'));
      // Windows says so when the user, or a policy, has turned off this app's notifications.
      notification.on('failed', (_, error) => {
        log.warn('a notification was refused', { error });
        settle('blocked');
      });
      notification.show();
    });
  };

  if (process.platform === 'win32') {
    Notification.handleActivation((details) => {
      const { tag, use, from } = readActivation(details, store.get().notifications);
      // While the object exists, its own events report the same.
      if (tag === null || !alive.has(tag)) onUse(use, from);
    });
  }

  return {
    state,
    async show({ tag, title, body, path, silent, buttons }) {
      if (!Notification.isSupported() || isPaused(store.get().pausedUntil, new Date())) return false;
      const from = server();
      const notification = createNotification({ tag, title, body, silent, buttons, sender: serverName(from) });
      const remembered = [...store.get().notifications, { tag, path, buttons, server: from }];
      store.change({ notifications: remembered.slice(-REMEMBERED) });
      notification.on('click', () => onUse({ path }, from));
      notification.on('action', ({ actionIndex }) => {
        const button = buttons[actionIndex];
        if (button) onUse({ button, tag }, from);
      });
      return present(notification, tag);
    },
    close(tags) {
      for (const [tag, notification] of alive) {
        if (tags !== null && !tags.includes(tag)) continue;
        alive.delete(tag);
        notification.close();
      }
    },
    notify(title, body) {
      if (!Notification.isSupported()) return;
      const toast = { tag: OWN_TAG, title, body, silent: true, buttons: [], sender: serverName(server()) };
      const notification = createNotification(toast);
      notification.on('click', () => onUse({ path: '/' }, null));
      void present(notification, OWN_TAG);
    },
    pause: ({ until }) => setPause(until(new Date())),
    resume: () => setPause(null),
    async openSettings() {
      const address = SETTINGS[process.platform];
      if (address !== undefined) await shell.openExternal(address);
    },
  };
}

/** Windows shows what the XML says alone; other systems what the rest says. */
function createNotification(toast: Toast): Notification {
  const { tag, title, body, silent, buttons } = toast;
  const actions = buttons.map((button) => ({ type: 'button' as const, text: BUTTON_LABELS[button] }));
  const xml = process.platform === 'win32' ? { toastXml: toastXml(toast) } : {};
  return new Notification({ id: tag, title, body, silent, actions, ...xml });
}
