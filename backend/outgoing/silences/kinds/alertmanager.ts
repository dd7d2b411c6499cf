import { z } from 'zod';
import { createAskSender } from './ask-sender.ts';
import {
  type Actual,
  type SilenceQuery,
  type OwnSilence,
  type SenderKind,
  type SenderTarget,
  type Subject,
  markerOf,
  withoutSlash,
} from './sender-kind.ts';

/**
 * Alertmanager's API v2 (https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml), which Grafana has too, at
 * `/api/alertmanager/grafana`.
 */
const API = '/api/v2';

const silenceAnswer = z.object({
  id: z.string(),
  createdBy: z.string(),
  comment: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
});
type SenderSilence = z.infer<typeof silenceAnswer>;

const alertAnswer = z.object({ fingerprint: z.string(), labels: z.record(z.string(), z.string()) });
const madeAnswer = z.object({ silenceID: z.string() });
const statusAnswer = z.object({
  uptime: z.optional(z.string()),
  versionInfo: z.optional(z.object({ version: z.optional(z.string()) })),
});

const subjectSchema = z.object({ labels: z.record(z.string(), z.string()), fingerprint: z.nullable(z.string()) });

/** A silence to create or change. */
interface WantedSilence {
  /** The one to change; undefined for a new one. */
  id: string | undefined;
  labels: Record<string, string>;
  startsAt: string;
  endsAt: string;
  createdBy: string;
  comment: string;
}

/** The labels of an alert in the payload that its sender delivered; undefined where it has none. */
export function labelsOf(payload: unknown): Subject | undefined {
  const read = z
    .object({ labels: z.record(z.string(), z.string()), fingerprint: z.optional(z.string()) })
    .safeParse(payload);
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

const explain = (status: number): string | undefined => {
  if (status === 401) return 'The user name, password or token is wrong.';
  if (status === 403) return 'Whoever signs in by this may not change silences.';
  if (status === 404) return 'There is no Alertmanager API at this address.';
  return undefined;
};

const credentialsOf = ({ auth, user, secret }: SenderTarget): Record<string, string> => {
  if (auth === 'none') return {};
  if (auth === 'bearer') return { Authorization: `Bearer ${secret}` };
  return { Authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` };
};

const ownSilenceOf = ({ id, createdBy, endsAt }: SenderSilence): OwnSilence => ({
  id,
  ownerName: createdBy,
  endsAt: Date.parse(endsAt),
});

/** Alertmanager, and Grafana with its API: an alert is silenced by its labels. */
export const alertmanager: SenderKind = {
  subjectOf: labelsOf,
  baseOf: (url) => withoutSlash(url).replace(/\/api\/v2(\/status)?$/, ''),
  createApi(post, target, stopping) {
    const ask = createAskSender(post, stopping, {
      base: `${alertmanager.baseOf(target.url)}${API}`,
      headers: credentialsOf(target),
      target,
      explain,
      noSuchApi: 'What answers at this address is no Alertmanager API.',
      tooLong:
        'The answer is longer than 2 MB. Silences that ended have to be forgotten sooner there (--data.retention).',
    });
    const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
      ask.read(schema, await ask.send('GET', path));
    const silence = async (id: string): Promise<SenderSilence | undefined> => {
      const answer = await ask.send('GET', `/silence/${encodeURIComponent(id)}`);
      return answer.status === 404 ? undefined : ask.read(silenceAnswer, answer);
    };
    const find = async ({ subject, mark }: SilenceQuery): Promise<SenderSilence | undefined> => {
      const found = await get(`/silences?${filtersOf(subjectSchema.parse(subject).labels)}`, z.array(silenceAnswer));
      return found.find(({ comment, status }) => status.state !== 'expired' && comment.includes(markerOf(mark)));
    };
    return {
      async tryOut() {
        const version = (await get('/status', statusAnswer)).versionInfo?.version;
        return `It answers${version === undefined ? '' : `: version ${version}`}.`;
      },
      async read(query): Promise<Actual> {
        const known = query.madeId === null ? undefined : await silence(query.madeId);
        const isExpired = known?.status.state === 'expired';
        // A change may have made another one of it, whose id was lost.
        const found = known && !isExpired ? known : await find(query);
        return { ours: found && ownSilenceOf(found), isEndedThere: isExpired && !found, details: found };
      },
      async silence({ subject }, { ownerName, comment, now, endsAt }, { details }) {
        const found = details as SenderSilence | undefined;
        const body = silenceBody({
          id: found?.id,
          labels: subjectSchema.parse(subject).labels,
          // A silence that has begun is changed in place only where its beginning stays.
          startsAt: found?.startsAt ?? new Date(now).toISOString(),
          endsAt: new Date(endsAt).toISOString(),
          createdBy: ownerName,
          comment,
        });
        const { silenceID } = ask.read(madeAnswer, await ask.send('POST', '/silences', body));
        return { id: silenceID, ownerName, endsAt };
      },
      async end(_asked, { id }) {
        const answer = await ask.send('DELETE', `/silence/${encodeURIComponent(id)}`);
        if (answer.status !== 404) ask.taken(answer);
      },
      async stillFires({ subject }) {
        const { labels, fingerprint } = subjectSchema.parse(subject);
        const alerts = await get(
          `/alerts?active=true&silenced=true&inhibited=true&${filtersOf(labels)}`,
          z.array(alertAnswer),
        );
        const fires = alerts.some((alert) => alert.fingerprint === fingerprint || isSame(alert.labels, labels));
        if (fires) return { fires, upSince: undefined };
        const { uptime } = await get('/status', statusAnswer);
        const upSince = uptime === undefined ? Number.NaN : Date.parse(uptime);
        return { fires, upSince: Number.isNaN(upSince) ? undefined : upSince };
      },
    };
  },
};

const isSame = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);
