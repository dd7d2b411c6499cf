import process from 'node:process';
import { Notification, shell } from 'electron';
import type { DesktopNotification, NotificationState } from '#electron/contract/desktop.ts';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import type { Log } from '#electron/logs/logs.ts';
import { type State, createState } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { type Pause, isKeptBack } from './pause.ts';
import {
  BUTTON_LABELS,
  type NotificationUse,
  OWN_TAG,
  type Toast,
  isBlocked,
  readActivation,
  toastXml,
} from './toast.ts';

/** How many notifications can still be closed; Windows keeps fewer for an app. */
const MOST_ALIVE = 50;

/** Windows may report that it shows nothing after Electron has reported `show`: so long after it at most, in milliseconds. */
const FAILS_WITHIN_MS = 250;

/** Not every system says whether it has shown one: silence for so long is taken for yes, in milliseconds. */
const REPORT_TIMEOUT_MS = 2000;

/** What the app's sentences are about unless they are about an alert: a click brings the window up. */
const ITSELF = { tag: OWN_TAG, path: null, server: null };

/** Where each system lets people allow notifications again. */
const SETTINGS: Readonly<Record<string, string>> = {
  win32: 'ms-settings:notifications',
  darwin: 'x-apple.systempreferences:com.apple.preference.notifications',
};

export interface Notifications {
  state: State<NotificationState>;
  /** Resolves to whether the system took it. During a pause it takes what answers a button alone. */
  show(notification: DesktopNotification): Promise<boolean>;
  /** Takes the notifications with these tags away; null: all but what the app says of itself. */
  close(tags: readonly string[] | null): void;
  /** A sentence of the app's own, of itself or about an alert. A pause does not matter to it. */
  notify(title: string, body: string, about?: Pick<Toast, 'tag' | 'path' | 'server'>): void;
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

/** Native notifications. The page decides which; a pause from the tray keeps back what nobody asked for. */
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
    if (alive.size > MOST_ALIVE && oldest !== undefined) alive.delete(oldest);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), REPORT_TIMEOUT_MS);
      let hasFailed = false;
      notification.on('show', () =>
        setTimeout(() => {
          if (hasFailed) return;
          clearTimeout(timer);
          state.set({ ...state.get(), status: 'shown' });
          resolve(true);
        }, FAILS_WITHIN_MS),
      );
      notification.on('failed', (_, error) => {
        hasFailed = true;
        clearTimeout(timer);
        log.warn('a notification was refused', { error });
        if (isBlocked(error)) state.set({ ...state.get(), status: 'blocked' });
        resolve(false);
      });
      notification.show();
    });
  };

  if (process.platform === 'win32') {
    Notification.handleActivation((details) => {
      const { use, from } = readActivation(details, store.get().knownServers);
      onUse(use, from);
    });
  }

  return {
    state,
    async show(notification) {
      const { isCritical, ...shown } = notification;
      if (!Notification.isSupported() || isKeptBack(notification, store.get().pausedUntil, new Date())) return false;
      const isUrgent = isCritical && store.get().preferences.isCriticalUrgent;
      return present(createNotification({ ...shown, isUrgent, server: server() }, onUse), shown.tag);
    },
    close(tags) {
      for (const [tag, notification] of alive) {
        if (tags === null ? tag === OWN_TAG : !tags.includes(tag)) continue;
        alive.delete(tag);
        notification.close();
      }
    },
    notify(title, body, about = ITSELF) {
      if (!Notification.isSupported()) return;
      const toast = { ...about, title, body, silent: true, buttons: [], isUrgent: false };
      void present(createNotification(toast, onUse), about.tag);
    },
    pause: ({ until }) => setPause(until(new Date())),
    resume: () => setPause(null),
    async openSettings() {
      const address = SETTINGS[process.platform];
      if (address !== undefined) await shell.openExternal(address);
    },
  };
}

/** Windows shows what the XML says alone, and hands it back; other systems use the rest. */
function createNotification(toast: Toast, onUse: NotificationParts['onUse']): Notification {
  const { tag, title, body, path, silent, buttons, server } = toast;
  if (process.platform === 'win32') return new Notification({ id: tag, title, body, toastXml: toastXml(toast) });
  const actions = buttons.map((button) => ({ type: 'button' as const, text: BUTTON_LABELS[button] }));
  const notification = new Notification({ id: tag, title, body, silent, actions });
  notification.on('click', () => onUse({ path }, server));
  notification.on('action', ({ actionIndex }) => {
    const button = buttons[actionIndex];
    if (button) onUse({ button, tag }, server);
  });
  return notification;
}
