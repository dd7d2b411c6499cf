import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { UserEntity } from '#backend/identity/users/user.ts';
import { FolderEntity, type StoredFolder } from '#backend/alerts/alert/folder.ts';
import { CustomerEntity } from '#backend/alerts/mutes/mute-entities.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { knownName } from '#tests/support/insert-names.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';

const FOLDERS = 1_200;
const TWINS = 25;
const TRIPLETS = 26;
const CUSTOMERS = 110;

let server: TestServer;
let admin: TestClient;

/** Folders of one name, each below the one before: siblings' names differ. */
function chainOf(ownerId: string): StoredFolder[] {
  const folders: StoredFolder[] = [];
  for (let depth = 0; depth < FOLDERS; depth += 1) {
    const shown = { name: 'Same', color: 'blue', icon: 'folder', order: 0, createdAt: Date.now() } as const;
    folders.push({ ...shown, id: uuidv7(), ownerId, parentId: folders.at(-1)?.id ?? '' });
  }
  return folders;
}

/** The same customer in different cases. */
const spelling = (number: number): string =>
  [...'customer'].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('');

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const folders = chainOf(admin.id);
  const members = [
    ...Array.from({ length: TWINS }, () => 'Twin'),
    ...Array.from({ length: TRIPLETS }, () => 'Triplet'),
  ];
  const users = members.map((displayName, number) => ({
    id: uuidv7(),
    email: `m${number}@example.org`,
    emailKey: `m${number}@example.org`,
    displayName,
    role: 'user' as const,
    isActive: true,
    passwordHash: '-',
    passwordChangedAt: null,
    createdAt: Date.now(),
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
  }));
  await server.database.transaction(async (tx) => {
    for (let at = 0; at < folders.length; at += 200) {
      await tx.getRepository(FolderEntity).insert(folders.slice(at, at + 200));
    }
    await tx.getRepository(UserEntity).insert(users);
    const names = Array.from({ length: CUSTOMERS }, (_, number) => knownName(spelling(number), Date.now()));
    await tx.getRepository(CustomerEntity).insert(names.map((name) => Object.assign(name, { id: uuidv7() })));
  });
  const own = { status: 'accepted', ownerId: admin.id } as const;
  await insertAlerts(server.database, [
    { ...own, title: 'top', folderId: folders[0]?.id ?? '', severity: 'low' },
    { ...own, title: 'bottom', folderId: folders.at(-1)?.id ?? '', severity: 'high', payload: '{"text":"grebe"}' },
    { ...own, title: 'loose' },
    { title: 'twin', status: 'in-progress', ownerId: users[0]?.id ?? '', severity: 'critical', customer: 'acme' },
    { title: 'other twin', status: 'accepted', ownerId: users[TWINS - 1]?.id ?? '', payload: '{"text":"grebe"}' },
    { title: 'first spelling', customer: spelling(1) },
  ]);
});
afterAll(() => server.destroy());

async function find(list: string, search: string, more = ''): Promise<(string | null)[]> {
  const { alerts } = await walkList(admin, `/api/alerts/${list}?limit=2&search=${encodeURIComponent(search)}${more}`);
  return alerts.map(({ title }) => title);
}

async function refusedWith(search: string): Promise<string> {
  const answer = await admin.get(`/api/alerts/all?search=${encodeURIComponent(search)}`);
  expect(answer.status).toBe(400);
  return answer.text();
}

describe('a search whose name many have', () => {
  test.each(['all', 'all-folders'])('finds alerts in each of the folders, in the list %s', async (list) => {
    expect(await find(list, 'folder:same')).toEqual(['bottom', 'top']);
    expect(await find(list, 'folder:same', '&sort=severity')).toEqual(['bottom', 'top']);
    expect(await find(list, 'folder:same grebe')).toEqual(['bottom']);
    expect(await find(list, 'folder:same severity:low status:accepted')).toEqual(['top']);
  });

  test('finds alerts of each of the members, and asks for their e-mails where they are more', async () => {
    expect(await find('all', 'owner:twin')).toEqual(['other twin', 'twin']);
    expect(await find('all', 'owner:twin', '&sort=severity')).toEqual(['twin', 'other twin']);
    expect(await find('all', 'owner:twin grebe', '&sort=severity')).toEqual(['other twin']);
    // No counter knows a name together with a severity: all branches are counted at once.
    const both = 'owner:twin customer:acme customer:other severity:critical severity:low severity:none';
    expect(await find('all', both, '&sort=severity')).toEqual(['twin']);
    expect(await refusedWith('owner:triplet')).toBe(
      'owner: stands for 26 members here, of 25 at most. Use their emails instead.',
    );
  });

  test('is refused in words where customers differ in their case alone, and are too many', async () => {
    expect(await find('inbox', `customer:${spelling(1)}`)).toEqual(['first spelling']);
    expect(await refusedWith('customer:CUSTOMER')).toBe(
      'customer: stands for 110 names here, of 100 at most. Write it as the alerts do.',
    );
  });
});
