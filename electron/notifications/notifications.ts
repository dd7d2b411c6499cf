import { Notification, app, shell } from 'electron';
import type { DesktopNotification, NotificationAction, NotificationState } from '#electron/contract/desktop.ts';
import type { Log } from '#electron/log.ts';
import { type State, createState } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { readActivation } from './read-activation.ts';
import { type Pause, isPaused } from './pause.ts';

/** Equal to the installer's, so that Windows knows whose toasts these are. */
export const APP_USER_MODEL_ID = 'com.alertdesk.desktop';

/** By which Windows starts the app again when a toast of it is used; the same in every version. */
const TOAST_ACTIVATOR = '{7E1C7B52-9A0C-4B8E-9C60-2B6B0C4F1D3A}';

/** How many notifications are remembered for a click that comes later. */
const REMEMBERED = 50;

export interface Notifications {
  state: State<NotificationState>;
  show(notification: DesktopNotification): void;
  /** A sentence of the app's own, without buttons. */
  tell(title: string, body: string): void;
  pause(pause: Pause): void;
  resume(): void;
  openSettings(): Promise<void>;
}

interface NotificationParts {
  store: Store;
  log: Log;
  onAction: (action: NotificationAction) => void;
}

/** Says who this is to Windows; before the first window and the first toast. */
export function setupNotificationIdentity(): void {
  if (process.platform !== 'win32') return;
  app.setAppUserModelId(APP_USER_MODEL_ID);
  app.setToastActivatorCLSID(TOAST_ACTIVATOR);
}

/** Native notifications (issue of the desktop app, part 3). The page decides which; a pause from the tray holds all. */
export function setupNotifications({ store, log, onAction }: NotificationParts): Notifications {
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
  const present = (notification: Notification, key: string) => {
    alive.set(key, notification);
    if (alive.size > REMEMBERED) alive.delete(alive.keys().next().value ?? '');
    notification.on('show', () => state.set({ ...state.get(), status: 'shown' }));
    // Windows says so when the user, or a policy, has turned off this app's notifications.
    notification.on('failed', (_, error) => {
      log.warn('a notification was refused', { error });
      state.set({ ...state.get(), status: 'blocked' });
    });
    notification.show();
  };

  if (process.platform === 'win32') {
    Notification.handleActivation((details) => {
      const used = readActivation(details, store.get().notifications);
      // While the object is alive its own events tell the same.
      if (used.alertId === null || !alive.has(used.alertId)) onAction(used);
    });
  }

  return {
    state,
    show({ title, body, alertId, customer }) {
      if (!Notification.isSupported() || isPaused(store.get().pausedUntil, new Date())) return;
      const key = alertId ?? 'several';
      const actions = alertId === null ? [] : ACTIONS.slice(0, customer === null ? 1 : 2);
      const notification = new Notification({
        id: key,
        title,
        body,
        actions: actions.map(({ text }) => ({ type: 'button', text })),
      });
      if (alertId !== null) {
        store.change({ notifications: [...store.get().notifications, { alertId, customer }].slice(-REMEMBERED) });
      }
      notification.on('click', () => onAction({ action: 'open', alertId, customer }));
      notification.on('action', ({ actionIndex }) => {
        const action = actions[actionIndex]?.action;
        if (action) onAction({ action, alertId, customer });
      });
      present(notification, key);
    },
    tell(title, body) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', () => onAction({ action: 'open', alertId: null, customer: null }));
      present(notification, 'app');
    },
    pause: ({ until }) => setPause(until(new Date())),
    resume: () => setPause(null),
    async openSettings() {
      const address = {
        win32: 'ms-settings:notifications',
        darwin: 'x-apple.systempreferences:com.apple.preference.notifications',
      }[process.platform as string];
      if (address !== undefined) await shell.openExternal(address);
    },
  };
}

/** The buttons, in their order. */
export const ACTIONS = [
  { action: 'accept', text: 'Accept' },
  { action: 'mute-customer', text: 'Mute customer' },
] as const;
