import { type Wallboard, wallboardSchema } from '#backend/contract/wallboard.ts';

/** How often figures are read, and how long an answer may take, in milliseconds. */
const READ_MS = 5_000;
const ANSWER_MS = 10_000;

/** A link that does not work is tried again so often: its token may be renewed under another name. */
const ENDED_MS = 60_000;

/** A page that does not understand its server is loaded again at most so often: the server was upgraded. */
const RELOAD_MS = 5 * 60_000;

/** What is known of the wallboard. */
export interface WallboardState {
  board: Wallboard | undefined;
  /** When the figures were read last, by this screen's clock. */
  readAt: number | undefined;
  /** The link does not work: its token is revoked, expired, or incomplete. */
  isEnded: boolean;
}

export const NOTHING_READ: WallboardState = { board: undefined, readAt: undefined, isEnded: false };

/** What the browser gives, as tests replace it. */
interface Surroundings {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  reload: () => void;
  now: () => number;
}

const BROWSER: Surroundings = {
  fetch: (path, init) => fetch(path, init),
  reload: () => location.reload(),
  now: () => Date.now(),
};

/**
 * Reads the figures again and again, whatever happens: a lost connection, a server that restarts, a laptop that slept. One
 * state is known at a time, so that memory stays the same for weeks.
 *
 * @returns a function that stops
 */
export function followWallboard(
  token: string,
  onState: (state: WallboardState) => void,
  { fetch: ask, reload, now }: Surroundings = BROWSER,
): () => void {
  let state = NOTHING_READ;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const startedAt = now();
  const read = async (): Promise<number> => {
    const response = await ask('/api/wallboard', {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (response.status === 401 || response.status === 403) {
      state = { ...NOTHING_READ, isEnded: true };
      return ENDED_MS;
    }
    if (!response.ok) return READ_MS;
    const parsed = wallboardSchema.safeParse(await response.json());
    if (parsed.success) state = { board: parsed.data, readAt: now(), isEnded: false };
    else if (now() - startedAt > RELOAD_MS) reload();
    return READ_MS;
  };
  const step = async (): Promise<void> => {
    const next = await read().catch(() => READ_MS);
    if (isStopped) return;
    onState(state);
    timer = setTimeout(() => void step(), next);
  };
  void step();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
