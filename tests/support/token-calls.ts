import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import type { TestClient } from './test-client.ts';

const NEW_TOKEN = { name: 'A token', scope: 'read', role: 'user', expiresInDays: 1 };

/** A call of each kind on API tokens and service tokens, by what it promises. */
export function tokenCalls(admin: () => TestClient): Record<string, () => Promise<Response>> {
  const create = (path: string) => admin().send('POST', `/api/${path}`, NEW_TOKEN);
  const newId = async (path: string) => createdApiTokenSchema.parse(await (await create(path)).json()).id;
  return Object.fromEntries(
    ['auth/tokens', 'service-tokens'].flatMap((path) => [
      [
        `GET /api/${path} 200`,
        async () => {
          await newId(path);
          return admin().get(`/api/${path}`);
        },
      ],
      [`POST /api/${path} 201`, () => create(path)],
      [`DELETE /api/${path}/{id} 204`, async () => admin().send('DELETE', `/api/${path}/${await newId(path)}`)],
    ]),
  );
}
