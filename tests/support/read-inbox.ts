import { alertListSchema } from '#backend/contract/alert.ts';
import { ADMIN } from './server-process.ts';
import { TestClient } from './test-client.ts';

/** Ids and titles of the whole inbox, page by page, and the count that the server reports; with the client that read them. */
export async function readInbox(url: URL): Promise<{
  ids: string[];
  titles: string[];
  total: number;
  admin: TestClient;
}> {
  const admin = new TestClient(url.origin);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const ids: string[] = [];
  const titles: string[] = [];
  let total = 0;
  let page: string | undefined = '/api/alerts/inbox?limit=500';
  while (page) {
    const response = await admin.get(page);
    total = Number(response.headers.get('x-total-count'));
    for (const { id, title } of alertListSchema.parse(await response.json())) {
      ids.push(id);
      titles.push(title ?? '');
    }
    page = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return { ids, titles, total, admin };
}
