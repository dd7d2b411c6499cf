/** More alerts and notices than arrive within the handover of any storm. */
const MAX_REPORTED = 500;

/** How long an alert waits for the announcing tab to be closed and for this one to take its place, in milliseconds. */
const HANDOVER_MS = 2000;

/** How long a report may still be on its way when the tab that sent it leads no more, in milliseconds. */
const IN_FLIGHT_MS = 500;

/** One of the browser's tabs, of which one announces new alerts while no window is in front. */
export interface AnnouncingTab {
  /** Whether this tab announces for all of them. */
  isLeader(): boolean;
  /** Reports to the other tabs that these alerts or notices are announced. */
  report(ids: readonly string[]): void;
  /** Whether this tab or another one has reported a notice: what a tab has missed comes to it again. */
  isReported(id: string): boolean;
  /**
   * For a tab that does not announce: waits until it becomes the leader, for at most two seconds. Returns the alerts
   * that no tab has reported by then; none when another tab still leads.
   */
  inherit(alertIds: readonly string[]): Promise<readonly string[]>;
  /** Leaves it to the other tabs. */
  close(): void;
}

/**
 * Elects one of the browser's tabs: the one that holds the Web Lock of this name. A tab that comes to the front takes
 * the lock; one that is closed or crashes releases it to the next. Insecure origins have no locks (and no notifications):
 * there each tab announces for itself.
 */
export function electTab(name: string): AnnouncingTab {
  let reported: readonly string[] = [];
  const remember = (ids: readonly string[]): void => {
    reported = [...reported, ...ids].slice(-MAX_REPORTED);
  };
  const isReported = (id: string): boolean => reported.includes(id);
  if (!('locks' in navigator)) {
    return { isLeader: () => true, report: remember, isReported, inherit: async () => [], close: () => undefined };
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => remember(data));
  const post = channel.postMessage.bind(channel);
  const closing = new AbortController();
  const closed = new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
  let queued = new AbortController();
  let leadership: symbol | undefined;
  let elected = Promise.withResolvers<void>();

  const request = async (options: LockOptions): Promise<void> => {
    const own = Symbol(name);
    const lead = (): Promise<unknown> => {
      leadership = own;
      void received(name, channel).then(elected.resolve);
      return closed;
    };
    // Rejects when this tab takes the lock instead of waiting for it, and when another tab takes it from this one.
    await navigator.locks.request(name, options, lead).catch(() => undefined);
    if (leadership !== own) return;
    leadership = undefined;
    elected = Promise.withResolvers();
    if (!closing.signal.aborted) queue();
  };
  const queue = (): void => {
    queued = new AbortController();
    void request({ signal: AbortSignal.any([queued.signal, closing.signal]) });
  };
  const take = (): void => {
    if (leadership) return;
    queued.abort();
    void request({ steal: true });
  };
  window.addEventListener('focus', take, { signal: closing.signal });
  if (document.hasFocus()) take();
  else queue();

  return {
    isLeader: () => leadership !== undefined,
    report(ids) {
      remember(ids);
      post(ids);
    },
    isReported,
    async inherit(alertIds) {
      await Promise.race([elected.promise, new Promise((resolve) => setTimeout(resolve, HANDOVER_MS))]);
      return leadership ? alertIds.filter((id) => !isReported(id)) : [];
    },
    close() {
      closing.abort();
      channel.close();
    },
  };
}

/**
 * Gives a channel time to receive what other tabs sent before, such as the last report of one that was closed: until a message
 * that is sent now has come, or {@link IN_FLIGHT_MS} have passed. A channel does not receive its own messages, so another
 * one sends it.
 */
async function received(name: string, channel: BroadcastChannel): Promise<void> {
  const [sender, waiting] = [new BroadcastChannel(name), new AbortController()];
  const { promise, resolve } = Promise.withResolvers<void>();
  const mark = crypto.randomUUID();
  const onMessage = ({ data }: MessageEvent<readonly string[]>): void => void (data.includes(mark) && resolve());
  channel.addEventListener('message', onMessage, { signal: waiting.signal });
  const timer = setTimeout(resolve, IN_FLIGHT_MS);
  const send = sender.postMessage.bind(sender);
  send([mark]);
  await promise;
  clearTimeout(timer);
  waiting.abort();
  sender.close();
}
