import { setTimeout as wait } from 'node:timers/promises';
import { CSRF_HEADER, readCsrfToken } from '#backend/contract/csrf.ts';
import { type Session, sessionSchema } from '#backend/contract/session.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { Answer } from './document-checker.ts';
import { type WebhookReceipt, webhookReceiptSchema } from '#backend/contract/webhook.ts';

/** How often a test signs in at most, and the pause between, in milliseconds. */
const SIGN_IN_ATTEMPTS = 3;
const SIGN_IN_PAUSE_MS = 2_000;

/** The address of a server on this machine, by name. */
export const nameOf = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** A caller with a cookie jar of its own, as a browser is one. */
export class TestClient {
  readonly cookies = new Map<string, string>();
  /** Asks for the server by its name instead of its address: passkeys belong to names. */
  usesName = false;
  session: Session | undefined;
  /** Looks at every answer, and throws when it is not as the API's document says. */
  readonly #check: (answer: Answer) => void;
  readonly #urlOf: () => string;

  /** @param url where the server is; a function for servers that share the work, asked before each request */
  constructor(url: string | (() => string), check: (answer: Answer) => void = () => undefined) {
    this.#urlOf = typeof url === 'string' ? () => url : url;
    this.#check = check;
  }

  get url(): string {
    return this.usesName ? nameOf(this.#urlOf()) : this.#urlOf();
  }

  /** The same person at another server, or at a moment of this session: as behind a proxy. */
  at(url: string): TestClient {
    const same = new TestClient(url, this.#check);
    for (const [name, value] of this.cookies) same.cookies.set(name, value);
    same.session = this.session;
    return same;
  }

  /** Signs in, or fails the test. A busy machine can keep the database from answering in time: 503 is tried again, as it asks. */
  async signIn(email: string, password: string): Promise<Session> {
    const ask = () => this.send('POST', '/api/auth/login', { email, password });
    let response = await ask();
    for (let attempt = 1; response.status === 503 && attempt < SIGN_IN_ATTEMPTS; attempt += 1) {
      await wait(SIGN_IN_PAUSE_MS);
      response = await ask();
    }
    if (response.status !== 200) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
    this.session = sessionSchema.parse(await response.json());
    return this.session;
  }

  /** The signed-in member's id. */
  get id(): string {
    if (!this.session) throw new Error('nobody is signed in');
    return this.session.id;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#fetch(path, { headers });
  }

  /** Sends a JSON body, with the session's cookies and CSRF token. */
  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.sendText(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** As {@link send}, with the body as it stands. */
  sendText(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        [CSRF_HEADER]: readCsrfToken((name) => this.cookies.get(name)) ?? '',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  /** Posts an alert; `body` is sent as it stands when it is text. */
  post(apiKey: string, body: unknown, headers: Record<string, string> = {}, path = '/webhook'): Promise<Response> {
    return this.#checked(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': apiKey, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Posts an alert that must be taken. */
  async postAlert(apiKey: string, body: unknown = { customer: 'Nordwind' }): Promise<WebhookReceipt> {
    const response = await this.post(apiKey, body);
    if (response.status !== 202) throw new Error(`the webhook answered ${response.status}: ${await response.text()}`);
    return webhookReceiptSchema.parse(await response.json());
  }

  /** The alerts of a list. */
  async alerts(path: '/api/alerts/inbox' | '/api/alerts/mine'): Promise<Alert[]> {
    return alertListSchema.parse(await (await this.get(path)).json());
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const response = await this.#checked(path, {
      ...init,
      headers: { ...(this.cookies.size > 0 && { Cookie: this.cookieHeader }), ...init.headers },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async #checked(path: string, init: RequestInit): Promise<Response> {
    // Compressing and reading again takes a third of a list's processor time; tests of it ask for it.
    const requested = { 'Accept-Encoding': 'identity', ...(init.headers as Record<string, string>) };
    const response = await fetch(this.url + path, { ...init, headers: requested });
    const { status, headers } = response;
    const text = await response.clone().text();
    this.#check({ method: init.method ?? 'GET', path: path.replace(/\?.*/, ''), status, headers, text });
    return response;
  }
}
