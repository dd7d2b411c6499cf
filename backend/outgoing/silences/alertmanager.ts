import { z } from 'zod';
import type { SenderAuth } from '#backend/contract/silence.ts';
import { judgeAnswer } from '#backend/outgoing/destinations/judge-answer.ts';
import type { HttpAnswer, Post } from '#backend/outgoing/destinations/post.ts';
import type { SilencedLabels } from './silence-entities.ts';

/**
 * Alertmanager's API v2 (https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml), which Grafana has too, at
 * `/api/alertmanager/grafana`.
 */
const API = '/api/v2';

/** Of an answer so much is read, in bytes: a list of silences has those that ended in the last days, too. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** Where a sender's API is and how to sign in. */
export interface SenderTarget {
  url: string;
  auth: SenderAuth;
  user: string;
  /** The password or token. */
  secret: string;
}

/** The sender did not do what it was asked for, in words for people. */
export class SenderError extends Error {
  override name = 'SenderError';
}

const silenceAnswer = z.object({
  id: z.string(),
  createdBy: z.string(),
  comment: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
});
/** A silence as its sender has it. */
export type SenderSilence = z.infer<typeof silenceAnswer>;

const alertAnswer = z.object({ fingerprint: z.string(), labels: z.record(z.string(), z.string()) });
const madeAnswer = z.object({ silenceID: z.string() });
const statusAnswer = z.object({
  uptime: z.optional(z.string()),
  versionInfo: z.optional(z.object({ version: z.optional(z.string()) })),
});

/** What is asked of a silence. */
export interface WantedSilence {
  /** The one to change; undefined for a new one. */
  id: string | undefined;
  labels: Record<string, string>;
  startsAt: string;
  endsAt: string;
  createdBy: string;
  comment: string;
}

/** What stands in the comment of each of our silences. */
export const markerOf = (id: string): string => `[alertdesk:${id}]`;

/** The labels of an alert in the payload that its sender delivered; undefined where it has none. */
export function labelsOf(payload: string): SilencedLabels | undefined {
  const read = z
    .object({ labels: z.record(z.string(), z.string()), fingerprint: z.optional(z.string()) })
    .safeParse(JSON.parse(payload));
  if (!read.success) return undefined;
  const { labels, fingerprint } = read.data;
  // An empty label is none, and a silence of nothing else would be refused.
  const named = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
  return Object.keys(named).length === 0 ? undefined : { labels: named, fingerprint: fingerprint ?? null };
}

/** The body of `POST /silences`: matchers that are met by these labels, each by its very value. */
export const silenceBody = ({ id, labels, ...rest }: WantedSilence) => ({
  ...(id !== undefined && { id }),
  matchers: Object.entries(labels).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
  ...rest,
});

/** `filter` parameters that these labels meet; of a value a backslash, a quote and a new line are escaped. */
export const filtersOf = (labels: Record<string, string>): string =>
  Object.entries(labels)
    .map(([name, value]) => {
      const quoted = value
        .replaceAll('\\', '\\\\')
        .replaceAll('"', String.raw`\"`)
        .replaceAll('\n', String.raw`\n`);
      return `filter=${encodeURIComponent(`${name}="${quoted}"`)}`;
    })
    .join('&');

/** The address of the API with what somebody may have written after it taken off. */
export const baseOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/api\/v2(\/status)?$/, '');

const explain = (status: number): string | undefined => {
  if (status === 401) return 'The user name, password or token is wrong.';
  if (status === 403) return 'Whoever signs in by this may not change silences.';
  if (status === 404) return 'There is no Alertmanager API at this address.';
  return undefined;
};

/** What a sender's API is asked. Each may throw a {@link SenderError} or what the connection said. */
export interface SenderApi {
  /** Its version, and since when it has run where it says so, in milliseconds. */
  status(): Promise<{ version: string | undefined; upSince: number | undefined }>;
  /** Undefined where it knows none with this id. */
  silence(id: string): Promise<SenderSilence | undefined>;
  /** A silence of these labels that is not over, with this in its comment. */
  find(labels: Record<string, string>, marker: string): Promise<SenderSilence | undefined>;
  /** @returns the id of the silence, which may be another one than that of the silence that was changed */
  put(wanted: WantedSilence): Promise<string>;
  expire(id: string): Promise<void>;
  /** Whether the alert with these labels still fires. */
  fires(labels: SilencedLabels): Promise<boolean>;
}

export function createSenderApi(post: Pick<Post, 'send'>, target: SenderTarget, stopping: AbortSignal): SenderApi {
  const credentials =
    target.auth === 'none'
      ? {}
      : {
          Authorization:
            target.auth === 'bearer'
              ? `Bearer ${target.secret}`
              : `Basic ${Buffer.from(`${target.user}:${target.secret}`).toString('base64')}`,
        };
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<HttpAnswer> =>
    post.send(
      {
        method,
        url: `${baseOf(target.url)}${API}${path}`,
        headers: { ...credentials, Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        keepBytes: ANSWER_BYTES,
      },
      stopping,
    );
  const taken = (answer: HttpAnswer): HttpAnswer => {
    // A service may repeat what it was sent.
    const body = target.secret === '' ? answer.body : answer.body.replaceAll(target.secret, '••••');
    const verdict = judgeAnswer({ explain }, { ...answer, body }, Date.now());
    if (verdict.outcome === 'sent') return answer;
    throw new SenderError(verdict.answer);
  };
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const { body } = taken(await ask('GET', path));
    return parse(schema, body);
  };
  return {
    async status() {
      const { uptime, versionInfo } = await get('/status', statusAnswer);
      const upSince = uptime === undefined ? Number.NaN : Date.parse(uptime);
      return { version: versionInfo?.version, upSince: Number.isNaN(upSince) ? undefined : upSince };
    },
    async silence(id) {
      const answer = await ask('GET', `/silence/${encodeURIComponent(id)}`);
      return answer.status === 404 ? undefined : parse(silenceAnswer, taken(answer).body);
    },
    async find(labels, marker) {
      const found = await get(`/silences?${filtersOf(labels)}`, z.array(silenceAnswer));
      return found.find(({ comment, status }) => status.state !== 'expired' && comment.includes(marker));
    },
    async put(wanted) {
      const { body } = taken(await ask('POST', '/silences', silenceBody(wanted)));
      return parse(madeAnswer, body).silenceID;
    },
    async expire(id) {
      const answer = await ask('DELETE', `/silence/${encodeURIComponent(id)}`);
      if (answer.status !== 404) taken(answer);
    },
    async fires({ labels, fingerprint }) {
      const alerts = await get(
        `/alerts?active=true&silenced=true&inhibited=true&${filtersOf(labels)}`,
        z.array(alertAnswer),
      );
      return alerts.some((alert) => alert.fingerprint === fingerprint || isSame(alert.labels, labels));
    },
  };
}

const isSame = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

function parse<T>(schema: z.ZodType<T>, body: string): T {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    throw new SenderError(
      body.length >= ANSWER_BYTES
        ? 'The answer is longer than 2 MB. Silences that ended have to be forgotten sooner there (--data.retention).'
        : 'What answers at this address is no Alertmanager API.',
    );
  }
}
