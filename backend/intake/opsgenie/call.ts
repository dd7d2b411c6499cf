import { malformed, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { IDENTIFIER_TYPES, type IdentifierType } from './read-alerts.ts';

/** A request to Opsgenie's API, taken apart. */
export interface Call {
  /** Method and path with `:alert`, such as `POST /v2/alerts/:alert/close`. */
  operation: string;
  /** What the path names in the place of `:name`: an alert, a request or a heartbeat. */
  name: string;
  query: URLSearchParams;
}

/** Every call that is known; `GET /v2/alerts/count` goes before an alert of this name. */
const CALLS = [
  'POST /v2/alerts',
  'GET /v2/alerts',
  'GET /v2/alerts/count',
  'GET /v2/alerts/requests/:name',
  'GET /v2/alerts/:name',
  'DELETE /v2/alerts/:name',
  'POST /v2/alerts/:name/close',
  'POST /v2/alerts/:name/acknowledge',
  'POST /v2/alerts/:name/unacknowledge',
  'POST /v2/alerts/:name/snooze',
  'GET /v2/alerts/:name/notes',
  'POST /v2/alerts/:name/notes',
  'POST /v2/alerts/:name/assign',
  'POST /v2/alerts/:name/tags',
  'DELETE /v2/alerts/:name/tags',
  'POST /v2/alerts/:name/details',
  'DELETE /v2/alerts/:name/details',
  'PUT /v2/alerts/:name/priority',
  'PUT /v2/alerts/:name/message',
  'PUT /v2/alerts/:name/description',
  'GET /v2/heartbeats/:name/ping',
  'POST /v2/heartbeats/:name/ping',
  'PUT /v2/heartbeats/:name/ping',
  'PATCH /v2/heartbeats/:name/ping',
] as const;
export type Operation = (typeof CALLS)[number];

const PARTS = CALLS.map((operation) => {
  const [method = '', path = ''] = operation.split(' ');
  return { operation, method, parts: path.split('/').slice(1) };
});

const HEARTBEATS =
  'Of heartbeats only pings are supported. Heartbeats are made, paused and changed in the product itself.';

/**
 * Takes a request apart.
 *
 * @throws {ProblemError} 422 for what is not supported, 400 for a path that cannot be read
 */
export function readCall(method: string, target: string): Call & { operation: Operation } {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const parts = path.split('/').slice(1).map(decoded);
  if (parts.at(-1) === '') parts.pop();
  const call = PARTS.find(
    (one) =>
      one.method === method &&
      one.parts.length === parts.length &&
      one.parts.every((part, at) => (part === ':name' ? parts[at] !== '' : part === parts[at])),
  );
  if (call && parts[2] !== 'saved-searches') {
    const name = parts[call.parts.indexOf(':name')] ?? '';
    return { operation: call.operation, name, query: new URLSearchParams(query) };
  }
  throw whyNot(method, parts);
}

function whyNot(method: string, [version, area = '', ...more]: readonly string[]) {
  if (area === 'heartbeats') return unacceptable(HEARTBEATS);
  if (version !== 'v2' || area !== 'alerts') return unacceptable(`${plain(area)} of Opsgenie's API are not supported.`);
  const action = more[0] === 'saved-searches' ? more[0] : more[1];
  if (action === undefined) return unacceptable(`${plain(method)} is not supported at this address.`);
  return unacceptable(`${plain(method)} of ${plain(action)} is not supported.`);
}

const plain = (text: string): string => text.slice(0, 40).replaceAll(/[^\w-]/g, '');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed('The path cannot be decoded.');
  }
}

/** By what the path of a call names its alert. @throws {ProblemError} 422 for another type */
export function identifierTypeOf({ query }: Call): IdentifierType {
  const type = query.get('identifierType') || 'id';
  const known = IDENTIFIER_TYPES.find((one) => one === type);
  if (known) return known;
  throw unacceptable(`identifierType is one of ${IDENTIFIER_TYPES.join(', ')}.`);
}

/** The body of a call, as far as it was read. */
export class Body {
  readonly text: string;
  readonly #fields: Record<string, unknown>;

  /** @throws {ProblemError} 400 when it is not JSON, 422 when it is no object */
  constructor(text: string) {
    this.text = text;
    let value: unknown = {};
    try {
      if (text.trim() !== '') value = JSON.parse(text);
    } catch {
      throw malformed('The body is not valid JSON.');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unacceptable('The body is not a JSON object.');
    }
    this.#fields = value as Record<string, unknown>;
  }

  get(name: string): unknown {
    return this.#fields[name];
  }

  /** A text or number; undefined where there is none, or an empty one. @throws {ProblemError} 422 for anything else */
  textOf(name: string): string | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw unacceptable(`${name} is not a text.`);
  }

  /** @throws {ProblemError} 422 where there is none */
  required(name: string): string {
    const value = this.textOf(name);
    if (value === undefined || value.trim() === '') throw unacceptable(`${name} can not be empty.`);
    return value;
  }
}

/** A list that a query gives by commas. @throws {ProblemError} 422 where there is none */
export function listIn(query: URLSearchParams, name: string): string[] {
  const values = query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  if (values.length === 0) throw unacceptable(`${name} can not be empty.`);
  return values;
}
