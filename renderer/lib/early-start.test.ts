import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as EarlyStart from './early-start.ts';

const INBOX = '/api/alerts/inbox';
const QUEUE = '/api/alerts/mine?completion=open';

/** An answer that was read at a place. */
const readAt = async (place?: string): Promise<Response> =>
  new Response('[]', place === undefined ? {} : { headers: { 'X-Place': place } });
const isAtFive = (place: string): boolean => place === '5';

let early: typeof EarlyStart;
beforeEach(async () => {
  // The server greets once for each page.
  vi.resetModules();
  early = await import('./early-start.ts');
  vi.stubGlobal('window', {
    alertdeskEarly: {
      socket: {},
      answers: new Map(),
      places: new Map([[`${INBOX}?limit=100`, Promise.resolve('5')]]),
      current: new Set([INBOX]),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

/** What is found to be outdated, with the greeting at 5. */
async function outdated(): Promise<string[]> {
  const found: string[] = [];
  await early.findEarlyOutdated(isAtFive, (path) => found.push(path));
  return found;
}

it('knows a list that the app asked for before the greeting at the same place as current', async () => {
  early.noteRead(QUEUE, readAt('5'));
  expect(early.isEarlyCurrent(QUEUE)).toBe(true);
  expect(await outdated()).toEqual([]);
});

it.each([
  ['was read at another place', () => readAt('4')],
  ['names no place', () => readAt()],
  ['could not be read', () => Promise.reject(new Error('No.'))],
])('has a list read again that %s', async (_why, answer) => {
  early.noteRead(QUEUE, answer());
  expect(await outdated()).toEqual([QUEUE]);
});

it('compares what was asked for early by its early answer alone, and nothing that is asked for after the greeting', async () => {
  early.noteRead(INBOX, readAt('4'));
  expect(await outdated()).toEqual([]);
  early.noteRead(QUEUE, readAt('4'));
  expect(early.isEarlyCurrent(QUEUE)).toBe(false);
  expect(await outdated()).toEqual([]);
});

/** Starts at a path, with these cookies, and says which files and which answers were asked for. */
function startAt(pathname: string, cookie: string) {
  const links: Record<string, string>[] = [];
  vi.stubGlobal('location', { pathname, protocol: 'https:', host: 'alerts.example.com' });
  vi.stubGlobal('document', {
    cookie,
    createElement: () => ({}),
    head: { append: (link: Record<string, string>) => links.push(link) },
  });
  const fetched = vi.fn<(path: string) => Promise<Response>>(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetched);
  early.startEarly(['/assets/login.1.css', '/assets/login.2.js']);
  return { links, asked: fetched.mock.calls.map(([path]) => path) };
}

it.each(['/', '/login', '/alert/1'])('asks for the sign-in page of who has no session, at %s', (path) => {
  expect(startAt(path, '')).toEqual({
    links: [
      { rel: 'preload', as: 'style', href: '/assets/login.1.css' },
      { rel: 'preload', as: 'script', href: '/assets/login.2.js' },
    ],
    asked: ['/api/auth/session', '/api/auth/options'],
  });
  expect(early.takeEarlyAnswer('/api/auth/options')).toBeInstanceOf(Promise);
  expect(early.takeEarlySocket()).toBeUndefined();
});

it('has nothing left of what the sign-in page did not take once the app connects', () => {
  startAt('/', '');
  early.takeEarlySocket();
  expect(early.takeEarlyAnswer('/api/auth/options')).toBeUndefined();
});

it.each(['/login/callback', '/join', '/reset-password', '/api/docs'])('asks for nothing at %s', (path) => {
  expect(startAt(path, '')).toEqual({ links: [], asked: [] });
});
