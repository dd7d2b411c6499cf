import { type Page, type WebSocketRoute, expect } from '@playwright/test';
import { connected } from './screen.ts';

/** The page's live connection in the test's hands. */
export interface Line {
  /** Closes the connection; there is no other until {@link Line.restore}. */
  cut(): Promise<void>;
  restore(): void;
  /** Loses every frame from now on, both ways, while the connection stays open; another opens after {@link Line.restore}. */
  deafen(): void;
  /** How many connections there have been. */
  count(): number;
}

/** Loads the page again, and takes its live connection. */
export async function takeLine(page: Page): Promise<Line> {
  const sockets: { page: WebSocketRoute; server: WebSocketRoute | undefined; isDeaf: boolean }[] = [];
  let isCut = false;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    if (isCut) {
      void socket.close({ code: 1012 });
      return;
    }
    const server = socket.connectToServer();
    const line = { page: socket, server, isDeaf: false };
    sockets.push(line);
    socket.onMessage((frame) => void (!line.isDeaf && server.send(frame)));
    server.onMessage((frame) => void (!line.isDeaf && socket.send(frame)));
  });
  await page.reload();
  await connected(page);
  return {
    async cut() {
      isCut = true;
      const last = sockets.at(-1);
      await Promise.all([last?.page.close({ code: 1012 }), last?.server?.close()]);
      await expect(page.getByText('Reconnecting…')).toBeVisible();
    },
    restore: () => (isCut = false),
    deafen: () => {
      isCut = true;
      for (const line of sockets) line.isDeaf = true;
    },
    count: () => sockets.length,
  };
}
