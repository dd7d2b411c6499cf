import { type ServerChoice, isSameServer } from '#electron/contract/server-choice.ts';
import type { MainWindow } from '#electron/window/main-window.ts';
import type { ServerControl } from './server-control.ts';

/** Screens of servers, as notifications, links, the tray and keys open them. */
export interface Screens {
  /** Has the page of a server come; null: of the one in use. False when it does not. */
  showServer(from: ServerChoice | null): Promise<boolean>;
  /** Brings the window up, on a screen of a server; null: of the one in use. Where a policy forbids that server, the page stays. */
  goTo(path: string, from?: ServerChoice | null): void;
}

interface ScreenParts {
  server: Pick<ServerControl, 'state' | 'choose' | 'resume'>;
  window: Pick<MainWindow, 'bringUp' | 'goTo'>;
  /** A screen was not opened, as a policy sets another server than the one that it is of. */
  onForbidden: (from: ServerChoice) => void;
}

export function createScreens({ server, window, onForbidden }: ScreenParts): Screens {
  const isOther = (from: ServerChoice | null): from is ServerChoice =>
    from !== null && !isSameServer(from, server.state.get().choice);
  const showServer = (from: ServerChoice | null): Promise<boolean> => {
    if (isOther(from)) return server.choose(from);
    server.resume();
    return Promise.resolve(true);
  };
  return {
    showServer,
    goTo(path, from = null) {
      window.bringUp();
      if (server.state.get().isManaged && isOther(from)) {
        onForbidden(from);
        return;
      }
      // It begins to leave the page at once: the screen waits for that of the other server.
      void showServer(from);
      window.goTo(path, from ?? server.state.get().choice);
    },
  };
}
