import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { PROOF_DUE } from '#backend/contract/problem.ts';
import { ApiError, apiGet, apiGetAll, apiGetPage, apiSend } from './api-client.ts';
import { ProofCancelled, onProofDue } from './proof-due.ts';
import { unreadableResponse } from './texts.ts';

const rows = z.array(z.object({ id: z.string() }));
let asked: { url: string; init: RequestInit }[] = [];

/** The other end of the wire: what the server answers to the next calls. */
function answer(body: string, init: ResponseInit = {}): void {
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    asked.push({ url, init: request });
    return Promise.resolve(new Response(body === '' ? null : body, init));
  });
}

beforeEach(() => {
  asked = [];
  vi.stubGlobal('document', { cookie: 'sidebar_state=true; csrf-token=t%2F0ken' });
});

afterEach(() => vi.unstubAllGlobals());

const header = (name: string): string | null => new Headers(asked[0]?.init.headers).get(name);

/** Ends when the call is given up. */
async function hanging({ signal }: RequestInit): Promise<never> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve());
  });
  throw new DOMException('late', 'TimeoutError');
}

describe('apiGet', () => {
  it('sends credentials and no CSRF header', async () => {
    answer('{"a":1}');
    expect(await apiGet('/api/x', z.object({ a: z.number() }))).toEqual({ a: 1 });
    expect(asked[0]?.init.credentials).toBe('include');
    expect(header('X-CSRF-Token')).toBeNull();
  });

  it('says the sentence of a failure, or the status where a proxy answered', async () => {
    answer('Already accepted by Jonas.\n', { status: 409 });
    await expect(apiGet('/api/x', rows)).rejects.toThrow(new ApiError(409, 'Already accepted by Jonas.', ''));
    await expect(apiGet('/api/x', rows)).rejects.toThrow(/^Already accepted by Jonas\.$/);
    answer('', { status: 502, statusText: 'Bad Gateway' });
    await expect(apiGet('/api/x', rows)).rejects.toThrow(/^The server answered 502 Bad Gateway$/);
    answer('<html><h1>502 Bad Gateway</h1></html>', { status: 502 });
    await expect(apiGet('/api/x', rows)).rejects.toThrow(/^The server answered 502$/);
  });

  it('reads a problem, and says the status where that is cut off', async () => {
    const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
    answer('{"detail":"Already accepted."}', { status: 409, headers });
    await expect(apiGet('/api/x', rows)).rejects.toThrow(new ApiError(409, 'Already accepted.', ''));
    for (const body of ['{"detail":"Alre', '{}', '']) {
      answer(body, { status: 502, headers });
      await expect(apiGet('/api/x', rows)).rejects.toThrow(/^The server answered 502$/);
      await expect(apiGet('/api/x', rows)).rejects.toBeInstanceOf(ApiError);
    }
  });

  it('says what to do when there is no answer, or none that can be read', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(apiGet('/api/x', rows)).rejects.toThrow('The server could not be reached.');
    answer('<html>');
    await expect(apiGet('/api/x', rows)).rejects.toThrow('Reload the page');
  });

  it('gives up a read that is not answered in time, or not to its end', async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    onTestFinished(() => timeout.mockRestore());
    vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
      path === '/api/x' ? hanging(init) : Promise.resolve({ ok: path === '/api/y', text: () => hanging(init) }),
    );
    const { signal } = new AbortController();
    const reads = ['/api/x', '/api/y', '/api/z'].map((path) => apiGet(path, rows, { signal }));
    limit.abort();
    for (const read of reads) await expect(read).rejects.toThrow('The server could not be reached.');
    expect(timeout.mock.calls).toEqual([[40_000], [40_000], [40_000]]);
  });

  it('passes on that a call was broken off', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('gone', 'AbortError')));
    await expect(apiGet('/api/x', rows)).rejects.toThrow('gone');
  });
});

describe('apiGetPage', () => {
  it('reads the count and the cursor of the next page', async () => {
    answer('[{"id":"b"}]', {
      headers: { 'X-Total-Count': '240', Link: '</api/alerts/inbox?limit=100&before=b>; rel="next"' },
    });
    expect(await apiGetPage('/api/alerts/inbox', rows, { limit: 100, before: 'c' })).toEqual({
      rows: [{ id: 'b' }],
      total: 240,
      next: 'b',
    });
    expect(asked[0]?.url).toBe('/api/alerts/inbox?limit=100&before=c');
  });

  it('marks a count that is a lower bound', async () => {
    answer('[]', { headers: { 'X-Total-Count': '1000', 'X-Total-Count-Relation': 'at-least' } });
    expect(await apiGetPage('/api/alerts/all?q=x', rows)).toEqual({ rows: [], total: 1000, isAtLeast: true });
  });

  it('knows the last page by its having no link', async () => {
    answer('[]', { headers: { 'X-Total-Count': '0' } });
    expect(await apiGetPage('/api/alerts/inbox', rows)).toEqual({ rows: [], total: 0 });
    expect(asked[0]?.url).toBe('/api/alerts/inbox');
  });
});

describe('apiGetAll', () => {
  it('follows the links, whatever the length of a page', async () => {
    const pages = [
      { body: '[{"id":"c"},{"id":"b"}]', link: '</api/x?before=b>; rel="next"' },
      { body: '[]', link: '</api/x?before=a2>; rel="next"' },
      { body: '[{"id":"a"}]', link: undefined },
    ];
    const paths: string[] = [];
    vi.stubGlobal('fetch', (path: string) => {
      const page = pages[paths.push(path) - 1];
      return Promise.resolve(new Response(page?.body, page?.link ? { headers: { Link: page.link } } : {}));
    });
    expect(await apiGetAll('/api/x', rows)).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
    expect(paths).toEqual(['/api/x', '/api/x?before=b', '/api/x?before=a2']);
  });
});

describe('apiSend', () => {
  it('repeats the CSRF cookie in the header, and says JSON when there is a body', async () => {
    answer('', { status: 204 });
    await apiSend('PATCH', '/api/x', { body: { status: 'completed' } });
    expect(header('X-CSRF-Token')).toBe('t/0ken');
    expect(header('Content-Type')).toBe('application/json');
    expect(asked[0]?.init.body).toBe('{"status":"completed"}');
  });

  it('sends a change again when it was refused for a CSRF token that the server renews', async () => {
    const jar = { cookie: 'csrf-token=of-the-old-secret' };
    vi.stubGlobal('document', jar);
    vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
      asked.push({ url, init: request });
      if (url === '/api/auth/session') jar.cookie = 'csrf-token=of-the-new-secret';
      const isRefused = url === '/api/x' && new Headers(request.headers).get('X-CSRF-Token') === 'of-the-old-secret';
      return Promise.resolve(new Response(null, { status: isRefused ? 403 : 204 }));
    });
    await apiSend('POST', '/api/x', { body: { a: 1 } });
    expect(asked.map(({ url }) => url)).toEqual(['/api/x', '/api/auth/session', '/api/x']);
    expect(asked[2]?.init.body).toBe('{"a":1}');
  });

  it('reports a refused change at once when its CSRF token is current', async () => {
    answer('You are not allowed to do this.', { status: 403 });
    await expect(apiSend('POST', '/api/x')).rejects.toThrow(/^You are not allowed to do this\.$/);
    expect(asked.map(({ url }) => url)).toEqual(['/api/x', '/api/auth/session']);
  });

  it.each([false, true])(
    'gives up a change that is not answered in time; it outlives its page: %s',
    async (keepalive) => {
      const limit = new AbortController();
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
      onTestFinished(() => timeout.mockRestore());
      vi.stubGlobal('fetch', (_path: string, init: RequestInit) => hanging(init));
      const change = apiSend('POST', '/api/x', { keepalive });
      limit.abort();
      await expect(change).rejects.toThrow('The server could not be reached.');
      expect(timeout.mock.calls).toEqual([[40_000]]);
    },
  );

  it('sends without a body what has none', async () => {
    answer('', { status: 204 });
    await apiSend('DELETE', '/api/x', { keepalive: true });
    expect(header('Content-Type')).toBeNull();
    expect(asked[0]?.init.keepalive).toBe(true);
  });

  it('takes an answer without content for one only where there may be none', async () => {
    const schema = z.object({ a: z.number() });
    answer('', { status: 204 });
    await expect(apiSend('POST', '/api/x', { schema })).rejects.toThrow(unreadableResponse);
    expect(await apiSend('POST', '/api/x', { schema: z.optional(schema) })).toBeUndefined();
  });
});

const send = () => apiSend('POST', '/api/x', { body: { b: 2 }, schema: z.object({ a: z.number() }) });

describe('a call for which a proof is due', () => {
  let isProved = false;
  const asking = vi.fn<() => Promise<void>>();
  let end: () => void;
  beforeEach(() => {
    isProved = false;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push({ url, init });
      return Promise.resolve(new Response(isProved ? '{"a":1}' : PROOF_DUE, { status: isProved ? 201 : 403 }));
    });
    asking.mockReset().mockImplementation(async () => {
      isProved = true;
    });
    end = onProofDue(asking);
  });
  afterEach(() => end());

  it('is sent again as it was when the person has given the proof, which is asked for once for all of them', async () => {
    expect(await Promise.all([send(), send()])).toEqual([{ a: 1 }, { a: 1 }]);
    expect(asking).toHaveBeenCalledTimes(1);
    expect(asked.map(({ init }) => init.body)).toEqual(Array.from({ length: 4 }, () => '{"b":2}'));
  });

  it('is not sent again when they give none, and the next one asks again', async () => {
    asking.mockRejectedValueOnce(new ProofCancelled());
    await expect(send()).rejects.toThrow('Nothing was changed.');
    expect(asked).toHaveLength(1);
    expect(await send()).toEqual({ a: 1 });
  });

  it('fails with the server’s sentence where nobody can be asked, and when the proof does not help', async () => {
    await expect(apiSend('DELETE', '/api/x', { keepalive: true })).rejects.toThrow(PROOF_DUE);
    asking.mockResolvedValueOnce();
    await expect(send()).rejects.toThrow(PROOF_DUE);
    end();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const sent = send().catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await sent).toEqual(new ApiError(403, PROOF_DUE, ''));
    expect(asking).toHaveBeenCalledTimes(1);
  });

  it('waits for what asks, which is loaded after the first screen', async () => {
    end();
    const sent = send();
    // By the next turn the answer was read, and nobody could be asked.
    await new Promise(setImmediate);
    end = onProofDue(asking);
    expect(await sent).toEqual({ a: 1 });
  });
});
