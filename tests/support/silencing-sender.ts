import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type OutgoingReceiver, type ReceiverAnswer, startReceiver } from './outgoing-receiver.ts';

/** `postableSilence` of https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml: all but the id is required. */
const postable = z.strictObject({
  id: z.string().optional(),
  matchers: z
    .array(
      z.strictObject({ name: z.string(), value: z.string(), isRegex: z.boolean(), isEqual: z.boolean().optional() }),
    )
    .min(1),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  createdBy: z.string().min(1),
  comment: z.string().min(1),
});

/** A silence as the double keeps it. */
export type KeptSilence = z.infer<typeof postable> & { id: string };

/** A double of Alertmanager's API v2. */
export interface SilencingSender {
  readonly url: string;
  readonly receiver: OutgoingReceiver;
  /** Silences that are not over. */
  active(): KeptSilence[];
  /** All silences that were ever made. */
  all(): KeptSilence[];
  /** What somebody does there by hand. */
  expire(id: string): void;
  /** Alerts that fire there, by their labels. */
  firing: { labels: Record<string, string>; fingerprint: string }[];
  /** What it is asked to make is made, and its answer is lost. */
  losesAnswers: boolean;
  /** Since when it has run. */
  upSince: number;
}

const json = (body: unknown, status = 200): Exclude<ReceiverAnswer, 'hang'> => ({ status, body: JSON.stringify(body) });

/** Names and values of the `filter` parameters. */
const wanted = (search: URLSearchParams) =>
  search.getAll('filter').map((text) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=("(?:[^"\\]|\\["\\n])*")$/.exec(text) ?? [];
    return [name, JSON.parse(value) as string] as const;
  });

/**
 * Starts a double that refuses what the real one refuses: a body that is not by its schema (400), a silence that ends before
 * it begins or has ended (400, `api/v2/api.go`: "Silence end time can't be in the past"), a change of one that is not there
 * (404), whoever has not signed in (401).
 */
export async function startSilencingSender(authorization?: string): Promise<SilencingSender> {
  const silences = new Map<string, KeptSilence>();
  const world = { firing: [] as SilencingSender['firing'], losesAnswers: false, upSince: Date.now() };
  const isOver = ({ endsAt }: KeptSilence) => Date.parse(endsAt) <= Date.now();
  const present = (one: KeptSilence) => ({
    ...one,
    updatedAt: one.startsAt,
    status: { state: isOver(one) ? 'expired' : 'active' },
  });
  const expire = (id: string): void => {
    const found = silences.get(id);
    if (found) silences.set(id, { ...found, endsAt: new Date().toISOString() });
  };
  const put = (body: string) => {
    const parsed = postable.safeParse(JSON.parse(body));
    if (!parsed.success) return json(parsed.error.message, 400);
    const { id, startsAt, endsAt } = parsed.data;
    if (Date.parse(endsAt) <= Math.max(Date.parse(startsAt), Date.now())) {
      return json("failed to create silence: end time can't be in the past", 400);
    }
    const before = id === undefined ? undefined : silences.get(id);
    if (id !== undefined && !before) return json('silence not found', 404);
    // In place where its matchers and its beginning stay; else the one before ends (`silence.go`, `canUpdate`).
    const isInPlace =
      before &&
      !isOver(before) &&
      before.startsAt === startsAt &&
      JSON.stringify(before.matchers) === JSON.stringify(parsed.data.matchers);
    if (before && !isInPlace) expire(before.id);
    const kept = { ...parsed.data, id: isInPlace ? before.id : randomUUID() };
    silences.set(kept.id, kept);
    return world.losesAnswers ? json('Bad Gateway', 502) : json({ silenceID: kept.id });
  };
  const receiver = await startReceiver(({ method, path, headers, body }) => {
    if (authorization !== undefined && headers.authorization !== authorization)
      return { status: 401, body: 'Unauthorized' };
    const { pathname, searchParams } = new URL(path, 'http://sender');
    const [, id] = /^\/api\/v2\/silence\/(.+)$/.exec(pathname) ?? [];
    const called = `${method} ${id === undefined ? pathname.replace('/api/v2', '') : '/silence'}`;
    const found = silences.get(id ?? '');
    switch (called) {
      case 'GET /status':
        return json({ uptime: new Date(world.upSince).toISOString(), versionInfo: { version: '0.28.0' } });
      case 'POST /silences':
        return put(body);
      case 'GET /silences':
        return json(
          [...silences.values()]
            .filter(({ matchers }) =>
              wanted(searchParams).every(([name, value]) =>
                matchers.some((one) => one.name === name && one.value === value),
              ),
            )
            .map(present),
        );
      case 'GET /silence':
        return found ? json(present(found)) : json('silence not found', 404);
      case 'DELETE /silence':
        if (!found) return json('silence not found', 404);
        if (isOver(found)) return json('silence already expired', 500);
        expire(found.id);
        return json('');
      case 'GET /alerts':
        return json(
          world.firing.filter(({ labels }) => wanted(searchParams).every(([name, value]) => labels[name] === value)),
        );
      default:
        return json('path not found', 404);
    }
  });
  return Object.assign(world, {
    url: receiver.url,
    receiver,
    active: () => [...silences.values()].filter((one) => !isOver(one)),
    all: () => [...silences.values()],
    expire,
  });
}
