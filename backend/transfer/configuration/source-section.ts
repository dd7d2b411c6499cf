import type { ConfiguredSource } from '#backend/contract/configuration.ts';
import { type SourceSettings, sourceSettingsSchema } from '#backend/contract/source.ts';
import { addSigningSecret, changeSource, createSource, deleteSource } from '#backend/intake/sources/source-commands.ts';
import { SourceEntity, SourceSecretEntity } from '#backend/intake/sources/source-entity.ts';
import { readSettings } from '#backend/intake/sources/source-registry.ts';
import { openSigningSecret } from '#backend/intake/sources/source-secrets.ts';
import { type Section, pick } from './section.ts';

const SETTINGS = Object.keys(sourceSettingsSchema.shape) as (keyof SourceSettings)[];

export const sourceSection: Section<ConfiguredSource> = {
  noun: 'source',
  namedAs: 'source',
  async read(manager) {
    const sources = await manager.getRepository(SourceEntity).find({ order: { nameKey: 'ASC' } });
    return sources.map(({ id, version, name, pausedAt, settings }) => {
      const stored = readSettings(settings);
      const own = Object.fromEntries(SETTINGS.map((field) => [field, stored[field]])) as unknown as SourceSettings;
      return { id, version, entry: { name, isPaused: pausedAt !== null, ...own } };
    });
  },
  async otherSecrets({ tx, deps }, { id }, { signingSecret }) {
    if (signingSecret === undefined) return [];
    const stored = await tx.getRepository(SourceSecretEntity).findBy({ sourceId: id, kind: 'signing' });
    // One that was replaced is accepted for a while and then ends: put back, it becomes the current one again.
    const isCurrent = stored.some(
      (secret) => secret.expiresAt === null && openSigningSecret(deps.sealing, secret) === signingSecret,
    );
    return isCurrent ? [] : ['signingSecret'];
  },
  async create({ deps, by }, { name, isPaused, signingSecret, adapter, ...settings }, leaving) {
    const { source, plain } = await createSource(deps, by, {
      name,
      adapter,
      settings,
      leaving,
      ...(signingSecret !== undefined && { signingSecret }),
    });
    if (isPaused) await changeSource(deps, by, source.id, { isPaused });
    return { id: source.id, secrets: { key: plain.key, path: `/in/${plain.token ?? ''}` } };
  },
  async change({ deps, by }, { id, version }, entry, changed) {
    // Before a signature is required, which needs one.
    if (changed.has('signingSecret')) await addSigningSecret(deps, by, id, entry.signingSecret ?? '');
    const settings = pick(entry, SETTINGS, changed);
    const own = pick(entry, ['name', 'isPaused'], changed);
    return changeSource(deps, by, id, { ...own, settings }, version);
  },
  remove: ({ deps, by }, { id }) => deleteSource(deps, by.author, id),
};
