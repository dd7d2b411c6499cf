import { readCsrfToken } from '#backend/contract/csrf.ts';

/**
 * What the first screen needs and the browser can ask for while the app's script is still loading: the live connection, the
 * lists, which say at which place in the feed they were read, and after the greeting, so that nothing can be missed between
 * the two, what does not say so. The app takes it over when it starts.
 */
interface EarlyStart {
  /** Undefined where nobody is signed in. */
  socket?: WebSocket | undefined;
  /** What came over the socket so far. */
  frames: MessageEvent<unknown>[];
  /** Answers by path and query, each given once. */
  answers: Map<string, Promise<Response>>;
  /** The place of the answer by path and query, for lists that were asked for before the greeting; null where there is none. */
  places: Map<string, Promise<string | null>>;
  /** What those are known by whose answers miss nothing of before the greeting of this socket. */
  current: Set<string>;
  /** Keeps no more frames: from now on the app listens to the socket. */
  release: () => void;
}

/** When no greeting has come after so long, what waits for it is asked for all the same, in milliseconds. */
const GREETING_MS = 2_000;

/** How long an answer that the app has not taken is kept after it started, in milliseconds. */
const KEPT_MS = 10_000;

/**
 * How long a call waits for its answer, in milliseconds: longer than any server of ours takes. The network may lose a call
 * without a sign, and what was read before would stay for good.
 */
export const ANSWER_MS = 40_000;

/** Rows of a list asked for at once; the rest comes while scrolling. */
export const PAGE_ROWS = 100;

let isTaken = false;

declare global {
  interface Window {
    /** Passed from the early script to the app's, which do not share modules. */
    alertdeskEarly?: EarlyStart | undefined;
  }
}

/** The address of the live events: same host as the page, wss on https, many events per frame, with places in the feed. */
export function liveUrl({ protocol, host }: { protocol: string; host: string }): string {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/ws?batch=1&places=1`;
}

/**
 * Asks for what the first screen needs: that of somebody who seems to be signed in, else the sign-in page. Called once, before
 * the app is there.
 *
 * @param signInFiles the paths of the files that the sign-in page is in, beside the first load
 */
export function startEarly(signInFiles: readonly string[]): void {
  if (/^\/(?:api\/|login\/.|join|reset-password)/.test(location.pathname)) return;
  if (readCsrfToken(readCookie) === undefined) startSignIn(signInFiles);
  else if (location.pathname !== '/login') startScreen();
}

/** Has the browser fetch the files of the sign-in page, and asks for what it shows. */
function startSignIn(files: readonly string[]): void {
  for (const href of files) {
    const as = href.endsWith('.css') ? 'style' : 'script';
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as, href }));
  }
  const answers = new Map(['/api/auth/session', '/api/auth/options'].map((path) => [path, fetchEarly(path)]));
  keepEarly({ frames: [], answers, places: new Map(), current: new Set(), release: () => undefined });
}

const fetchEarly = (path: string): Promise<Response> =>
  fetch(path, { credentials: 'include', signal: AbortSignal.timeout(ANSWER_MS) });

function keepEarly(early: EarlyStart): void {
  // Whoever takes an answer over handles its failure; if nobody does, it does not matter.
  for (const answer of early.answers.values()) answer.catch(() => undefined);
  window.alertdeskEarly = early;
}

/** Asks for what the screens have in common, and opens the live connection. */
function startScreen(): void {
  const lists = [`/api/alerts/inbox?limit=${PAGE_ROWS}`];
  const later: string[] = [];
  // On a small screen the sidebar, which counts these, is closed at first.
  const hasSidebar = !matchMedia('(max-width: 767.98px)').matches;
  if (hasSidebar || location.pathname === '/my-alerts')
    lists.push(`/api/alerts/mine?completion=open&limit=${PAGE_ROWS}`);
  if (hasSidebar) later.push('/api/folders');
  if (location.pathname === '/') later.push('/api/alerts/facets?list=inbox');

  const socket = new WebSocket(liveUrl(location));
  const frames: MessageEvent<unknown>[] = [];
  const keep = (frame: MessageEvent<unknown>): void => void frames.push(frame);
  socket.addEventListener('message', keep);
  const current = new Set(lists.map(queryOf));
  let isAsked = false;
  let isGreeted = false;
  const greeting = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
    setTimeout(resolve, GREETING_MS);
    socket.addEventListener(
      'message',
      () => {
        // Asked before the greeting, they may miss what happened in between.
        if (isAsked) for (const path of later) answers.delete(path);
        isGreeted = true;
        resolve();
      },
      { once: true },
    );
  });
  const ask = async (path: string, after?: Promise<void>): Promise<Response> => {
    await after;
    isAsked ||= after !== undefined;
    if (isGreeted) current.add(queryOf(path));
    return fetchEarly(path);
  };
  const answers = new Map([
    ...['/api/auth/session', ...lists].map((path) => [path, ask(path)] as const),
    ...later.map((path) => [path, ask(path, greeting)] as const),
  ]);
  const places = new Map(lists.map((path) => [path, placeOf(answers.get(path))]));
  const release = (): void => socket.removeEventListener('message', keep);
  keepEarly({ socket, frames, answers, places, current, release });
}

const placeOf = async (answer: Promise<Response> | undefined): Promise<string | null> =>
  (await answer?.catch(() => undefined))?.headers.get('X-Place') ?? null;

/** The answer to a call that was made early, once. */
export function takeEarlyAnswer(path: string): Promise<Response> | undefined {
  const answers = globalThis.window?.alertdeskEarly?.answers;
  const answer = answers?.get(path);
  answers?.delete(path);
  return answer;
}

/** What the app knows the answer to a call by: of a list its path with what it is narrowed to, else the path alone. */
const queryOf = (path: string): string => path.replace(/[?&]limit=\d+$|\?list=.*/, '');

/** The server has greeted: what is asked for from now on misses nothing. */
let isGreetingRead = false;

/** Has a list that the app asks for be compared with the greeting, as those that are asked for early are, if it comes before. */
export function noteRead(path: string, answer: Promise<Response>): void {
  const early = globalThis.window?.alertdeskEarly;
  if (!early?.socket || isGreetingRead || early.current.has(path)) return;
  early.current.add(path);
  early.places.set(path, placeOf(answer));
}

/**
 * Calls back with what each list is known by that was read before the greeting, at another place than the server greeted at:
 * what happened in between came with neither. Nobody is given its answer any more. No list waits for the answer of another.
 * Resolves when all were compared.
 */
export async function findEarlyOutdated(
  isGreeted: (place: string) => boolean,
  onOutdated: (path: string) => void,
): Promise<void> {
  isGreetingRead = true;
  const early = globalThis.window?.alertdeskEarly;
  if (!early) return;
  const { places, answers } = early;
  await Promise.all(
    [...places].map(async ([path, asked]) => {
      const place = await asked;
      if (place !== null && isGreeted(place)) return;
      answers.delete(path);
      onOutdated(queryOf(path));
    }),
  );
  places.clear();
}

/** Whether what is at `path` was asked for before the greeting, and misses nothing of before it but what {@link findEarlyOutdated} finds. */
export const isEarlyCurrent = (path: unknown): boolean =>
  typeof path === 'string' && globalThis.window?.alertdeskEarly?.current.has(path) === true;

/**
 * The socket that was opened early, with what came over it: for the first connection. Undefined for every other one, and
 * when it has been lost by then; what was asked for early is then no longer current either.
 */
export function takeEarlySocket(): { socket: WebSocket; frames: MessageEvent<unknown>[] } | undefined {
  const early = globalThis.window?.alertdeskEarly;
  if (!early) return undefined;
  const { socket, frames, answers, current, release } = early;
  if (isTaken || !socket || socket.readyState > WebSocket.OPEN) {
    answers.clear();
    current.clear();
    return undefined;
  }
  isTaken = true;
  release();
  setTimeout(() => answers.clear(), KEPT_MS);
  return { socket, frames };
}

/** The value of a cookie that scripts may read, or undefined when it is not set. */
export function readCookie(name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(prefix));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(prefix.length));
}
