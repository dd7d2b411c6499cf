import * as z from 'zod/mini';
import type { AppServer } from '#tests/e2e/support/app-server.ts';

const withIdsSchema = z.array(z.object({ id: z.string() }));
const channelsSchema = z.object({ channels: withIdsSchema });
const destinationsSchema = z.object({ destinations: withIdsSchema });

/**
 * Deletes what a server has of outgoing messages, and the administrator's own channels. A destination that cannot be reached
 * makes an alert for administrators some time later, which the tests of another file would see.
 */
export async function deleteOutgoing({ admin }: AppServer): Promise<void> {
  const read = async (path: string): Promise<unknown> => (await admin.request('GET', path)).json();
  const deleteAll = async (path: string, all: z.infer<typeof withIdsSchema>): Promise<void> => {
    for (const { id } of all) await admin.request('DELETE', `${path}/${id}`);
  };
  // In this order: what is used by something else is deleted after that.
  await deleteAll('/api/own-channels', channelsSchema.parse(await read('/api/own-channels')).channels);
  for (const path of ['/api/outgoing/rules', '/api/outgoing/groups', '/api/outgoing/calendars'])
    await deleteAll(path, withIdsSchema.parse(await read(path)));
  const path = '/api/outgoing/destinations';
  await deleteAll(path, destinationsSchema.parse(await read(path)).destinations);
}
