type Handler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;

/** Electron's `ipcMain`: one handler for each channel. */
export class DoubleIpcMain implements Pick<Electron.IpcMain, 'handle' | 'removeHandler'> {
  #handlers = new Map<string, Handler>();

  handle(channel: string, listener: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, listener);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** A page's call, answered as Electron does: errors reach the page as their text. */
  async invoke(event: Electron.IpcMainInvokeEvent, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return await handler(event, ...args);
    } catch (error) {
      throw new Error(`Error invoking remote method '${channel}': ${String(error)}`, { cause: error });
    }
  }
}
