import { type IpcMainInvokeEvent, type WebContents, ipcMain } from 'electron';
import {
  type CallAnswer,
  type CallArgument,
  type CallName,
  type Caller,
  type EventName,
  type EventPayload,
  SERVER_PAGE_ORIGIN,
  bridgeCalls,
} from './contract.ts';
import { originOf } from './window/addresses.ts';

/** What answers the calls, by their names. */
export type CallHandlers = {
  [C in CallName]: (argument: CallArgument<C>) => CallAnswer<C> | Promise<CallAnswer<C>>;
};

interface Bridge {
  /** The one window's contents, while there is a window. */
  contents: () => WebContents | undefined;
  /** The origin whose web app may call; undefined while no server is connected. */
  webAppOrigin: () => string | undefined;
  onRefused: (call: CallName, why: string) => void;
}

/**
 * Answers pages: the only place that knows `ipcMain`. A call counts only from the main frame of the app's own window,
 * while that frame shows a page that may make it, and with an argument that fits its schema.
 */
export function setupIpc(handlers: CallHandlers, bridge: Bridge): void {
  for (const name of Object.keys(bridgeCalls) as CallName[]) {
    ipcMain.handle(name, async (event, argument: unknown) => {
      const caller = callerOf(event, bridge);
      // The last words of a page whose window is gone already.
      if (!bridge.contents()) throw new Error('The window is gone.');
      if (caller === undefined || !bridgeCalls[name].from.includes(caller)) {
        bridge.onRefused(name, `it came from ${event.senderFrame?.url ?? 'a frame that is gone'}`);
        throw new Error(`${name} is not for this page.`);
      }
      const parsed = bridgeCalls[name].argument.safeParse(argument);
      if (!parsed.success) {
        bridge.onRefused(name, 'its argument does not fit');
        throw new Error(`${name}: ${parsed.error.issues.map(({ message }) => message).join(' ')}`);
      }
      return (handlers[name] as (value: unknown) => unknown)(parsed.data);
    });
  }
}

/** Who calls; undefined for anything but the main frame of the window, showing one of the two pages. */
function callerOf(event: IpcMainInvokeEvent, { contents, webAppOrigin }: Bridge): Caller | undefined {
  const own = contents();
  const frame = event.senderFrame;
  if (!own || event.sender !== own || !frame || frame !== own.mainFrame) return undefined;
  const origin = originOf(frame.url);
  if (origin === SERVER_PAGE_ORIGIN) return 'server-page';
  return origin !== undefined && origin === webAppOrigin() ? 'web-app' : undefined;
}

/** Sends an event to the page; without a page it is dropped. */
export function sendToPage<E extends EventName>(
  contents: WebContents | undefined,
  event: E,
  payload: EventPayload<E>,
): void {
  if (contents && !contents.isDestroyed()) contents.send(event, payload);
}
