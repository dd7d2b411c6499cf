import type { MailListener } from '#backend/intake/mail/mail-listener.ts';
import type { Cluster } from '#backend/platform/cluster/cluster.ts';
import type { AppContext } from './context.ts';
import type { ServerParts } from './server-parts.ts';

/** Listens for emails, where the configuration says so. What that takes is loaded then alone. */
export async function openMailIn(
  context: AppContext,
  { counts }: Pick<Cluster, 'counts'>,
  { mailIn }: ServerParts,
): Promise<MailListener | undefined> {
  const { mailIn: config } = context.config;
  if (!config) return undefined;
  const { openMailListener } = await import('#backend/intake/mail/mail-listener.ts');
  const { domain } = config;
  const listener = await openMailListener(
    { ...context, config, domain, counts, observe: context.metrics.mailIn },
    mailIn,
  );
  context.logger.info({ host: config.host, port: listener.port, domain }, 'listening for emails');
  return listener;
}
