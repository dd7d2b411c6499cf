import type { TestClient } from '#tests/support/test-client.ts';

/** Writes down what a server answers, in a form that is the same wherever and whenever it was asked. */
export interface Recorder {
  /** Begins a part of the transcript. */
  section(title: string): void;
  /** Makes a call as a signed-in member, and writes down both. Answers with the body. */
  call(who: Caller, method: string, path: string, body?: unknown): Promise<unknown>;
  /** Posts a body as a sender, with headers, and writes down both. Answers with the body. */
  post(body: unknown, headers?: Record<string, string>, query?: string): Promise<unknown>;
  /** All of it. */
  text(): string;
}

/** A member by the name under which the transcript knows them. */
export interface Caller {
  name: string;
  client: TestClient;
}

const HEADERS = ['X-Total-Count', 'X-Total-Count-Relation', 'Link'];

/** Longer answers are cut: what differs, differs early. */
const MAX_LENGTH = 1_500;

/** @param sender whose key the alerts are posted with. */
export function createRecorder(sender: TestClient, apiKey: string): Recorder {
  const lines: string[] = [];
  const write = async (question: string, response: Response): Promise<unknown> => {
    const body = await response.text();
    const headers = HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [` ${name}: ${value}`];
    });
    lines.push(question, `  ${response.status}${headers.join('')} ${readable(body)}`.trimEnd());
    return response.headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(body) : body;
  };
  return {
    section: (title) => lines.push('', `# ${title}`, ''),
    async call({ name, client }, method, path, body) {
      const response = method === 'GET' ? await client.get(path) : await client.send(method, path, body);
      return write(
        `${name} ${method} ${path}${body === undefined ? '' : ` ${readable(JSON.stringify(body))}`}`,
        response,
      );
    },
    async post(body, headers = {}, query = '') {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const named = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
      return write(
        `POST /webhook${query}${named.join('')} ${readable(text)}`,
        await sender.post(apiKey, text, headers, `/webhook${query}`),
      );
    },
    text: () => `${withoutChance(lines.join('\n')).trim().split('\n').map(cut).join('\n')}\n`,
  };
}

/** One line, with what cannot be seen escaped. */
function readable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Mn}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** The beginning of a line; of one without chance, so that no half of an id is at its end. */
const cut = (line: string): string =>
  line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH)}… (${line.length} characters)`;

/** Ids are numbered as they first appear; times and secrets are the same word. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>();
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id${ids.size + 1}`);
      return ids.get(id) ?? '';
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time')
    .replaceAll(/ad_[\w-]{20,}/g, 'key');
}
