import type { Source, SourceSecret } from '#backend/contract/source.ts';
import type { StoredSourceSecret } from './source-entity.ts';
import { localPartOf } from './mail-address.ts';
import { healthOf } from './source-health.ts';
import { type KnownSource, isLive, lastUseOf } from './source-registry.ts';
import type { SourceStats } from './source-stats.ts';

/**
 * A source as administrators see it. Secrets that expired are left out: they are kept to explain refused requests alone.
 *
 * @param mailDomain the domain of addresses for emails; undefined while none are received
 */
export function presentSource(
  source: KnownSource,
  stats: SourceStats,
  mailDomain: string | undefined,
  now: number,
): Source {
  const { id, name, createdAt, pausedAt, pausedBy, recognisedAs, settings, secrets, version } = source;
  const { hours, refusedToday, ways, log, usualGapMs, recent } = stats;
  const lastUsedAt = lastUseOf(source);
  const lastDeliveryAt = stats.lastDeliveryAt ?? lastUsedAt;
  return {
    id,
    name,
    createdAt: timeOf(createdAt),
    lastUsedAt: optionalTime(lastUsedAt),
    pausedAt: optionalTime(pausedAt),
    pausedBy,
    recognisedAs,
    version,
    settings,
    mailAddress: mailAddressOf(source, mailDomain, now),
    secrets: secrets.filter((secret) => isLive(secret, now)).map(presentSecret),
    health: healthOf({
      pausedAt,
      pausedBy,
      reportSilence: settings.reportSilence,
      recent,
      lastDeliveryAt,
      usualGapMs,
      now,
    }),
    hours,
    lastDeliveryAt: optionalTime(lastDeliveryAt),
    refusedToday,
    usualGapMs,
    ways,
    log,
  };
}

/** The address of the newest token: an older one works for as long as its token does. */
function mailAddressOf({ secrets, settings }: KnownSource, domain: string | undefined, now: number): string | null {
  const { token: isOn, signature } = settings.auth;
  if (domain === undefined || !isOn || signature !== null) return null;
  const live = secrets.filter((secret) => secret.kind === 'token' && secret.hash !== null && isLive(secret, now));
  const hash = (live.find(({ expiresAt }) => expiresAt === null) ?? live[0])?.hash;
  return hash ? `${localPartOf(hash)}@${domain}` : null;
}

const presentSecret = (secret: StoredSourceSecret): SourceSecret => ({
  id: secret.id,
  kind: secret.kind,
  hint: secret.hint,
  createdAt: timeOf(secret.createdAt),
  createdBy: secret.createdBy,
  expiresAt: optionalTime(secret.expiresAt),
  lastUsedAt: optionalTime(secret.lastUsedAt),
  lastUsedFrom: secret.lastUsedFrom,
});

const timeOf = (time: number): string => new Date(time).toISOString();
const optionalTime = (time: number | null): string | null => (time === null ? null : timeOf(time));
