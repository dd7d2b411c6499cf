import { expect, onTestFinished, test } from 'vitest';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { SourceEntity, SourceSecretEntity } from './source-entity.ts';
import { publishSourceNews } from './source-news.ts';
import { lastUseOf, openSourceRegistry } from './source-registry.ts';
import { createSourceStats } from './source-stats.ts';

test('uses of a source that another server noted are known here once its log has news, also without an open page', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { database } = server;
  const logger = createLogger('silent');
  const { source } = await createSourceWorld(server, await server.signedIn({ role: 'admin' })).newSource();
  const open = async () => {
    const events = createEventBus((error) => {
      throw error;
    });
    return { events, sources: await openSourceRegistry({ database, events, logger, isShared: true }) };
  };
  const [one, other] = [await open(), await open()];
  const sourceStats = createSourceStats(database);
  const news = publishSourceNews({ ...other, logger, sourceStats }, () => false);
  onTestFinished(() => news.stop());
  const used = one.sources.get(source.id);
  const [secret] = used?.secrets ?? [];
  if (!used || !secret) throw new Error('The source has no secret.');
  one.sources.noteUse(secret, '10.0.0.7');
  one.sources.noteSender(used, 'grafana');
  const secrets = database.reads.getRepository(SourceSecretEntity);
  const sources = database.reads.getRepository(SourceEntity);
  await expect.poll(() => secrets.countBy({ id: secret.id, lastUsedFrom: '10.0.0.7' })).toBe(1);
  await expect.poll(() => sources.countBy({ id: source.id, recognisedAs: 'grafana' })).toBe(1);
  other.events.publish({ type: 'source_changed', sourceId: source.id }, 'elsewhere');
  await expect.poll(() => lastUseOf(other.sources.get(source.id))).toBe(secret.lastUsedAt);
  expect(other.sources.get(source.id)).toMatchObject({ recognisedAs: 'grafana' });
  expect(other.sources.get(source.id)?.secrets.find(({ id }) => id === secret.id)?.lastUsedFrom).toBe('10.0.0.7');
});
