import { EventEmitter } from 'node:events';
import { preventable } from './preventable.ts';
import { type World, expectPlatform } from './world.ts';

type Members = 'show' | 'close' | 'title' | 'body' | 'actions';

/** A native notification; a test plays the user who sees it. */
export class DoubleNotification extends EventEmitter implements Pick<Electron.Notification, Members> {
  readonly title: string;
  readonly body: string;
  readonly actions: Electron.NotificationAction[];
  readonly id: string;
  #world: World;

  constructor(world: World, options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.#world = world;
    this.title = options.title ?? '';
    this.body = options.body ?? '';
    this.actions = options.actions ?? [];
    this.id = options.id ?? '';
  }

  show(): void {
    if (this.#world.notificationsBlocked) {
      this.emit('failed', {}, 'Notifications are disabled for the application');
      return;
    }
    this.#world.notifications.push(this);
    this.emit('show', {});
  }

  close(): void {
    this.#world.notifications = this.#world.notifications.filter((one) => one !== this);
    this.emit('close', preventable({}));
  }

  /** The user clicks on it, or on one of its buttons by its text. */
  use(button?: string): void {
    if (button === undefined) {
      this.emit('click', {});
      return;
    }
    const actionIndex = this.actions.findIndex(({ text }) => text === button);
    if (actionIndex === -1) throw new Error(`The notification "${this.title}" has no button ${button}.`);
    this.emit('action', preventable({ actionIndex, selectionIndex: -1 }));
  }
}

/** The statics of Electron's `Notification`. */
export const notificationStatics = (world: World) => ({
  isSupported: () => true,
  handleActivation: (callback: (details: Electron.ActivationArguments) => void) => {
    expectPlatform(world, 'win32', 'Notification.handleActivation');
    world.activation = callback;
  },
});
