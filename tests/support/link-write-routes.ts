import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** A server, and an administrator who is signed in. */
interface LinkWorld {
  server: TestServer;
  admin: TestClient;
}

const newInvitation = () => ({ email: `${crypto.randomUUID()}@example.com`, displayName: 'New' });
const newLink = async ({ admin }: Pick<LinkWorld, 'admin'>): Promise<string> => {
  const answer = await admin.send('POST', '/api/auth/invitations', newInvitation());
  return newAccountLinkSchema.parse(await answer.json()).link.id;
};

/** The routes by which administrators make links, change and revoke them, with a request to each that succeeds. */
export const LINK_WRITE_ROUTES: Record<string, (world: LinkWorld) => Promise<{ path: string; body?: unknown }>> = {
  'POST /api/auth/invitations': async () => ({ path: '/api/auth/invitations', body: newInvitation() }),
  'POST /api/auth/users/:id/reset-link': async ({ server }) => ({
    path: `/api/auth/users/${(await server.addUser()).id}/reset-link`,
    body: {},
  }),
  'POST /api/auth/links/:id/renew': async (world) => ({
    path: `/api/auth/links/${await newLink(world)}/renew`,
    body: {},
  }),
  'DELETE /api/auth/links/:id': async (world) => ({ path: `/api/auth/links/${await newLink(world)}` }),
};
