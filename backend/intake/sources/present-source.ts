import type { Source, SourceSecret } from '#backend/contract/source.ts';
import type { StoredSourceSecret } from './source-entity.ts';
import { healthOf } from './source-health.ts';
import { type KnownSource, isLive, lastUseOf } from './source-registry.ts';
import type { SourceStats } from './source-stats.ts';

/** A source as administrators see it. Secrets that expired are left out: they are kept to explain refused requests alone. */
export function presentSource(source: KnownSource, stats: SourceStats, now: number): Source {
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
