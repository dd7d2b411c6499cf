import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { MAX_INVITATIONS } from '#backend/contract/account-link.ts';
import { MAX_FOLDERS, MAX_FOLDER_DEPTH, folderListSchema } from '#backend/contract/folder.ts';
import { MAX_SOURCES } from '#backend/contract/source.ts';
import { FolderEntity, type StoredFolder } from '#backend/alerts/alert/folder.ts';
import { fillSources } from '#tests/support/fill-sources.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** How many there is room for before the calls, of which there are twice as many. */
const ROOM = 4;

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const folderOf = (ownerId: string, name: string, parentId = ''): StoredFolder => ({
  id: uuidv7(),
  ownerId,
  parentId,
  name,
  color: 'blue',
  icon: 'folder',
  order: 0,
  createdAt: Date.now(),
});

async function store<Row extends object>(entity: object, rows: Row[]): Promise<void> {
  await server.database.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += 250) {
      await tx.getRepository(entity as never).insert(rows.slice(at, at + 250) as never);
    }
  });
}

const count = async (sql: string): Promise<number> => {
  const [row]: { found: unknown }[] = await server.database.reads.query(`SELECT COUNT(*) AS found FROM ${sql}`);
  return Number(row?.found);
};

/** Sends twice as many calls as there is room for, all at once: which sentence the others are answered. */
async function fill(call: (number: number) => Promise<Response>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: 2 * ROOM }, (_, number) => call(number)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: ROOM }, () => 201),
    ...Array.from({ length: ROOM }, () => 409),
  ]);
  return answers.find(({ status }) => status === 409)?.text() ?? '';
}

const create = (member: TestClient, name: string, parentId?: string) =>
  member.send('POST', '/api/folders', { name, color: 'blue', ...(parentId && { parentId }) });

describe('folders', () => {
  test('are so many for each member, whatever is asked at once', async () => {
    const [anna, ben] = [await server.signedIn(), await server.signedIn()];
    const rows = Array.from({ length: MAX_FOLDERS - ROOM }, (_, number) => folderOf(anna.id, `Folder ${number}`));
    await store(FolderEntity, rows);
    expect(await fill((number) => create(anna, `New ${number}`))).toBe(
      'You have 500 folders already. Delete one first.',
    );
    expect(await count(`folders WHERE owner_id = '${anna.id}'`)).toBe(MAX_FOLDERS);
    expect((await create(ben, 'Own')).status).toBe(201);
    await anna.send('DELETE', `/api/folders/${rows[0]?.id}`);
    expect((await create(anna, 'In its place')).status).toBe(201);
  });

  test('stand so many below one another; what is deeper already stays', async () => {
    const anna = await server.signedIn();
    const chain: StoredFolder[] = [];
    for (let depth = 0; depth < MAX_FOLDER_DEPTH + 8; depth += 1) {
      chain.push(folderOf(anna.id, 'Deep', chain.at(-1)?.id));
    }
    await store(FolderEntity, chain);
    expect((await create(anna, 'Last', chain[MAX_FOLDER_DEPTH - 2]?.id)).status).toBe(201);
    for (const parent of [chain[MAX_FOLDER_DEPTH - 1], chain.at(-1)]) {
      const answer = await create(anna, 'Too deep', parent?.id);
      expect([answer.status, await answer.text()]).toEqual([
        409,
        'Folders can be 32 levels deep. Choose a folder further up.',
      ]);
    }
    const listed = folderListSchema.parse(await (await anna.get('/api/folders')).json());
    expect(listed).toHaveLength(MAX_FOLDER_DEPTH + 9);
    expect((await anna.get(`/api/alerts/folder/${chain.at(-1)?.id}`)).status).toBe(200);
  });
});

test('sources, API keys among them, are so many, whatever is asked at once', async () => {
  await fillSources(server.database, ROOM);
  expect(
    await fill((number) =>
      admin.send('POST', number % 2 ? '/api/sources' : '/api/api-keys', { name: `New ${number}` }),
    ),
  ).toBe('There are 1,000 sources already. Delete one first.');
  expect(await count('sources')).toBe(MAX_SOURCES);
});

const linkOf = (number: number, expiresAt: number) => ({
  id: uuidv7(),
  kind: 'invitation',
  tokenHash: `${number}`.padStart(64, '0'),
  subjectKey: `filled${number}@example.org`,
  userId: null,
  email: `filled${number}@example.org`,
  displayName: 'Filled',
  role: 'user',
  byName: null,
  createdAt: Date.now(),
  expiresAt,
  mail: 'none',
  mailError: null,
});

test('open invitations are so many, whatever is asked at once; expired ones do not count', async () => {
  const hour = 60 * 60 * 1000;
  const open = Array.from({ length: MAX_INVITATIONS - ROOM }, (_, number) => linkOf(number, Date.now() + hour));
  const expired = linkOf(MAX_INVITATIONS, Date.now() - hour);
  await store(AccountLinkEntity, [...open, expired]);
  const sentence = 'There are 500 open invitations already. Revoke one first.';
  expect(
    await fill((number) =>
      admin.send('POST', '/api/auth/invitations', { email: `new${number}@example.org`, displayName: 'New' }),
    ),
  ).toBe(sentence);
  const renewed = await admin.send('POST', `/api/auth/links/${expired.id}/renew`, {});
  expect([renewed.status, await renewed.text()]).toEqual([409, sentence]);
  expect((await admin.send('POST', `/api/auth/links/${open[0]?.id}/renew`, {})).status).toBe(200);
});
