import { EventEmitter } from 'node:events';
import { preventable } from './preventable.ts';
import { type ShownToast, readToast } from './toast.ts';
import { type World, expectPlatform } from './world.ts';

type Members = 'show' | 'close' | 'title' | 'body' | 'actions' | 'id' | 'toastXml';

/** A native notification; a test plays the user who sees it. */
export class DoubleNotification extends EventEmitter implements Pick<Electron.Notification, Members> {
  readonly title: string;
  readonly body: string;
  readonly actions: Electron.NotificationAction[];
  readonly id: string;
  readonly toastXml: string;
  /** What the user sees: on Windows what the XML says, and nothing of the rest. */
  shown: ShownToast | undefined;
  #world: World;
  #isCollected = false;

  constructor(world: World, options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.#world = world;
    this.title = options.title ?? '';
    this.body = options.body ?? '';
    this.actions = options.actions ?? [];
    this.id = options.id ?? crypto.randomUUID();
    this.toastXml = options.toastXml ?? '';
    if (world.platform === 'win32' && this.id.length > 64)
      throw new Error('Notification id exceeds Windows limit of 64 UTF-16 characters');
  }

  show(): void {
    if (this.#world.notificationsBlocked) {
      // Electron reports `show` as soon as Windows has taken it; that it shows nothing comes later.
      this.emit('show', {});
      setImmediate(() => this.emit('failed', {}, BLOCKED));
      return;
    }
    try {
      if (this.#world.refusesToasts) throw new Error('XML: Invalid XML');
      this.shown = this.#world.platform === 'win32' && this.toastXml !== '' ? readToast(this.toastXml) : this.#plain();
    } catch (error) {
      this.emit('failed', {}, String(error));
      return;
    }
    this.#world.notifications.push(this);
    this.emit('show', {});
  }

  close(): void {
    this.#world.notifications = this.#world.notifications.filter((one) => one !== this);
    this.emit('close', preventable({}));
  }

  /** The user clicks on it, or on one of its buttons by its text, while the app runs. */
  use(button?: string): void {
    const handedBack = this.handsBack(button);
    const isStructured = /type=(?:action|reply)/.test(handedBack.arguments);
    if (this.#world.platform === 'win32' && isStructured) this.#world.activation?.(handedBack);
    if (this.#isCollected) return;
    const { type, actionIndex = -1 } = handedBack;
    if (type === 'click') this.emit('click', {});
    else if (actionIndex >= 0) this.emit('action', preventable({ actionIndex, selectionIndex: -1 }));
  }

  /** Nothing refers to the object any more: the notification stays where it is, and its events are lost. */
  collect(): void {
    this.#isCollected = true;
  }

  /** What Windows hands to an app that is started by a click on it, read as Electron reads it. */
  handsBack(button?: string): Electron.ActivationArguments {
    const raw =
      button === undefined
        ? this.shown?.launch
        : this.shown?.buttons.find(({ content }) => content === button)?.arguments;
    if (raw === undefined) throw new Error(`The notification "${this.title}" has no button ${button}.`);
    return readActivation(raw);
  }

  /** What Electron's own XML says: without a `launch` attribute. */
  #plain(): ShownToast {
    const buttons = this.actions.map(({ text = '' }, index) => ({
      content: text,
      arguments: `type=action&action=${index}&tag=${this.id}`,
    }));
    const { title, body } = this;
    return { title, body, sender: '', launch: '', buttons, isSilent: false, scenario: undefined };
  }
}

/** What Electron makes of WPN_E_NOTIFICATION_DISABLED. */
const BLOCKED = 'Notification failed - Settings prevent the notification from being delivered. (HRESULT: -2143420143)';

/** How Electron reads what Windows hands back: pairs between `&`, each with one `=`. */
function readActivation(raw: string): Electron.ActivationArguments {
  const pairs = raw
    .split('&')
    .map((pair) => pair.split('=').filter((part) => part !== ''))
    .filter(({ length }) => length === 2);
  const { type, action } = Object.fromEntries(pairs) as Record<string, string | undefined>;
  if (type !== 'action') return { type: 'click', arguments: raw };
  return { type, arguments: raw, actionIndex: action === undefined ? -1 : Number.parseInt(action, 10) };
}

/** The statics of Electron's `Notification`. */
export const notificationStatics = (world: World) => ({
  isSupported: () => true,
  handleActivation: (callback: (details: Electron.ActivationArguments) => void) => {
    expectPlatform(world, 'win32', 'Notification.handleActivation');
    world.activation = callback;
  },
});
