import { findByRole, findByText, fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import axe from 'axe-core';
import { Provider, createStore } from 'jotai';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Root, createRoot } from 'react-dom/client';
import { expect, inject, onTestFinished } from 'vitest';
import { WebSocket as Socket } from 'ws';
import { App } from '#renderer/app/app.tsx';
import { fetchAhead } from '#renderer/app/fetch-ahead.ts';
import { guardInput } from '#renderer/app/guard-input.ts';
import { createGuardedHistory } from '#renderer/lib/guarded-history.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { type AppServer, startAppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import { ADMIN } from '#tests/support/server-process.ts';

declare global {
  /** The page, by the environment: what is used here of `JSDOM`, whose types are for a package of their own. */
  var jsdom: {
    reconfigure(settings: { url: string }): void;
    cookieJar: {
      getCookieStringSync(url: string): string;
      setCookieSync(cookie: string, url: string, options: { http: boolean }): void;
      removeAllCookiesSync(): void;
    };
  };
}

/** The first administrator, as the web app names them. */
export const ADMINISTRATOR: Person = { ...ADMIN, displayName: 'Administrator' };

/** Somebody who is not signed in. */
export const NOBODY = Symbol('nobody');

/** An answer instead of the server's; `go` asks the server all the same. */
type Answer = (
  call: { url: URL; method: string; headers: Headers; body: string },
  go: () => Promise<Response>,
) => Promise<Response> | Response;

const fetchAnywhere = globalThis.fetch;
const interceptors = new Set<{ method: string; path: RegExp | string; answer: Answer }>();
let root: Root | undefined;
let server: Promise<AppServer> | undefined;
/** What a page fetches when it is asked for. To load it takes seconds in a worker's first test, and a toast would be gone. */
let parts: Promise<unknown> | undefined;

/**
 * Loads what pages fetch later, and starts the server of this worker. Once for all files of a worker, before its first test:
 * on a busy machine it takes longer than a test may.
 */
export async function prepare(): Promise<void> {
  parts ??= Promise.all(fetchAhead.map(async (fetch) => Promise.all((await fetch()).ahead.map((load) => load()))));
  await Promise.all([parts, appServer()]);
}

async function startShared(): Promise<AppServer> {
  const app = await startAppServer({}, 'backend/main.ts');
  await writeFile(join(inject('serversFolder'), String(app.pid)), app.dataDir);
  return app;
}

/** The server of this worker, which tests of many files share: a test makes what it needs and looks at that alone. */
export const appServer = (): Promise<AppServer> => (server ??= startShared());

/** Starts another server for this worker: a failed attempt may have left what the next one does not expect. */
export const replaceServer = (): Promise<AppServer> => (server = startShared());

/** A new member of this worker's server, with what they do by the API. */
export async function memberWithQueue(): Promise<{ app: AppServer; mara: Person; queue: Queue }> {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  return { app, mara, queue: await queueOf(app, mara) };
}

/** A server of the test's own, which ends with it; `environment` holds more variables for it. */
export async function startServer(environment: Record<string, string> = {}): Promise<AppServer> {
  const app = await startAppServer(environment, 'backend/main.ts');
  onTestFinished(() => app.dispose());
  return app;
}

/** Calls of the page, which have its cookies as those of a browser do. */
async function fetchAsPage(input: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input, location.href);
  const { cookieJar } = globalThis.jsdom;
  const headers = new Headers(init.headers);
  headers.set('cookie', cookieJar.getCookieStringSync(url.href));
  headers.set('origin', location.origin);
  // A connection that the server is closing may be used once more, and fails; a browser would ask again on another one.
  headers.set('connection', 'close');
  const go = async () => {
    const answered = fetchAnywhere(url, { ...init, headers });
    asked.add(answered);
    const answer = await answered.finally(() => asked.delete(answered));
    for (const cookie of answer.headers.getSetCookie()) cookieJar.setCookieSync(cookie, url.href, { http: true });
    return answer;
  };
  const method = init.method ?? 'GET';
  const found = [...interceptors].findLast(
    ({ method: wanted, path }) =>
      wanted === method && (typeof path === 'string' ? path === url.pathname : path.test(url.pathname)),
  );
  const body = typeof init.body === 'string' ? init.body : '';
  const ofPage = calls;
  ofPage.open += 1;
  try {
    return await (found ? found.answer({ url, method, headers, body }, go) : go());
  } finally {
    ofPage.open -= 1;
    ofPage.endedAt = performance.now();
  }
}

/** What the server was asked by pages and has not answered yet. */
const asked = new Set<Promise<Response>>();

/** Calls of the page that have no answer yet, and when the last one had. */
let calls = { open: 0, endedAt: 0 };

/** A page that makes no call for so long makes none, in milliseconds. */
const QUIET_MS = 150;

/** Waits until the page is connected and has read what it asked for. What the greeting has it read again comes 0.5 to 2 s later. */
export async function findConnected(): Promise<void> {
  await screen.findByText('Connected');
  await waitFor(() => {
    if (calls.open > 0 || performance.now() - calls.endedAt < QUIET_MS) throw new Error('The page still reads.');
  });
}

globalThis.fetch = ((input: RequestInfo | URL, init?: RequestInit) =>
  typeof input === 'string' && input.startsWith('/')
    ? fetchAsPage(input, init)
    : fetchAnywhere(input, init)) as typeof fetch;

/** The live connections that the pages of a test have opened, the newest last. */
export const liveSockets: Socket[] = [];

/** The live connection of the page. jsdom's own keeps the origin with which it began. */
globalThis.WebSocket = class extends Socket {
  constructor(url: string) {
    super(url, {
      origin: location.origin,
      headers: { cookie: globalThis.jsdom.cookieJar.getCookieStringSync(location.href) },
    });
    // One that is closed before it is open ends with an error, which nobody of the app listens to.
    this.on('error', () => undefined);
    liveSockets.push(this);
  }
} as unknown as typeof WebSocket;

/**
 * Answers calls of the page instead of the server, until the test ends or the returned function is called.
 *
 * @param path the path without its query
 */
export function intercept(method: string, path: RegExp | string, answer: Answer): () => void {
  const entry = { method, path, answer };
  interceptors.add(entry);
  return () => void interceptors.delete(entry);
}

/** An answer of JSON. */
export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** An answer that is an error, with its sentence. */
export const refusal = (status: number, sentence: string): Response =>
  new Response(sentence, { status, headers: { 'content-type': 'text/plain' } });

/**
 * Opens the app at a path as somebody sees it, on the server of this worker or on `app`. There is one page at a time: the
 * one before is closed, and what it stored is gone unless `keepsStorage`.
 */
export async function openPage(
  person: Person | typeof NOBODY,
  path: string,
  { app, keepsStorage = false }: { app?: AppServer; keepsStorage?: boolean } = {},
): Promise<UserEvent> {
  await prepare();
  await closePage(keepsStorage);
  const [{ url, signIn }, { cookieJar }] = [app ?? (await appServer()), globalThis.jsdom];
  globalThis.jsdom.reconfigure({ url: new URL(path, url).href });
  history.replaceState(null, ''); // That of the test before is still there.
  if (person !== NOBODY) {
    const { cookies } = await signIn(person);
    for (const [name, value] of cookies)
      cookieJar.setCookieSync(`${name}=${value}; Path=/${name === 'sid' ? '; HttpOnly' : ''}`, url.href, {
        http: true,
      });
  }
  calls = { open: 0, endedAt: 0 };
  unguard ??= guardInput(window);
  const element = document.createElement('div');
  element.id = 'root';
  document.body.append(element);
  root = createRoot(element);
  root.render(
    <Provider store={createStore()}>
      <App history={createGuardedHistory()} />
    </Provider>,
  );
  return userEvent.setup({ delay: null });
}

/** As the app's entry does, once for the window that all pages share. */
let unguard: (() => void) | undefined;

async function closePage(keepsStorage = false): Promise<void> {
  // As a browser does: what can still be undone is sent now, and not while a later test counts what its page sends.
  if (root) dispatchEvent(new Event('pagehide'));
  root?.unmount();
  root = undefined;
  document.body.replaceChildren();
  if (!keepsStorage) {
    localStorage.clear();
    sessionStorage.clear();
  }
  globalThis.jsdom.cookieJar.removeAllCookiesSync();
}

/**
 * Closes the page and takes back what a test intercepts. What the page still asks the server is answered before the next test
 * begins, which may count what there is, and before the DOM is gone. Called after each test by the project's setup file.
 */
export async function endTest(): Promise<void> {
  interceptors.clear();
  liveSockets.length = 0;
  await closePage();
  await Promise.allSettled(asked);
}

/** The dialog that is open, once there is one. */
export const findDialog = async () => within(await screen.findByRole('dialog'));

/** The row of a list that holds a text. */
export async function findRow(list: string, text: string): Promise<HTMLElement> {
  const rows = await screen.findByRole('list', { name: list });
  const row = (await findByText(rows, text)).closest('li');
  if (!row) throw new Error(`"${text}" is in no row of "${list}".`);
  return row;
}

/** The card of an alert that holds a text, such as its customer. */
export async function findCard(text: string): Promise<HTMLElement> {
  const [found] = await screen.findAllByText(text, { selector: '.alert-card__card *' });
  const card = found?.closest<HTMLElement>('.alert-card__card');
  if (!card) throw new Error(`"${text}" is in no card.`);
  return card;
}

/** Expects the list to have the cards of these customers, in this order. */
export const expectCards = (...customers: string[]): Promise<void> =>
  waitFor(() =>
    expect([...document.querySelectorAll('.alert-card__customer')].map(({ textContent }) => textContent)).toEqual(
      customers,
    ),
  );

/** Expects the page's head to say how many alerts there are, such as "4 waiting for action". */
export const expectCount = (words: string): Promise<void> =>
  waitFor(() => void expect(document.querySelector('.page-head__count')).toHaveTextContent(words));

/** Opens what else can be done with the card that holds a text. Resolves to the entries of the menu. */
export async function openCardMenu(user: UserEvent, text: string): Promise<(string | null)[]> {
  await user.click(within(await findCard(text)).getByRole('button', { name: 'More actions' }));
  const menu = within(await screen.findByRole('menu', { name: 'Alert actions' }));
  return menu.getAllByRole('menuitem').map(({ textContent }) => textContent);
}

/** Expects the number at a folder's row in the sidebar. */
export const expectFolderCount = (name: string, count: string): Promise<void> =>
  waitFor(() => {
    const row = screen.getByRole('treeitem', { name: new RegExp(`^${name}( [\\d+]+ open|$)`) });
    expect(row.querySelector('.folder-tree__count')?.textContent).toBe(count);
  });

/** The toast in sight, not one that fades, once it has a text. It stays, as one that the pointer is over: a slow machine takes longer than that. */
export async function findToast(text: string | RegExp): Promise<HTMLElement> {
  const region = await findByRole(document.body, 'region', { name: 'Notifications (F8)' });
  const found = await within(region).findByText(text, { selector: '.toaster__toast:not([inert]) *' });
  const card = found.closest<HTMLElement>('.toaster__toast');
  if (!card) throw new Error(`"${text}" is in no toast.`);
  fireEvent.mouseEnter(card);
  return card;
}

/** The option that a field names as the active one to assistive technology. */
export const activeOption = (field: HTMLElement): HTMLElement | null =>
  document.getElementById(field.getAttribute('aria-activedescendant') ?? '');

/** What axe finds, as `rule: element`. Without a layout there are no colours: these are for tests in the browser. */
export async function findings(): Promise<string[]> {
  const rules = { 'color-contrast': { enabled: false } };
  const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
