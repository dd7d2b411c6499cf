import { z } from 'zod';
import { LOOKALIKES } from './lookalikes.ts';
import type { Caller, Recorder } from './recorder.ts';

/** Who takes part. */
export interface Cast {
  mara: Caller;
  jon: Caller;
  admin: Caller;
}

const idOf = (body: unknown): string => z.object({ id: z.string() }).parse(body).id;
const MOVES = { blue: { color: 'blue' }, red: { color: 'red' } } as const;

/** A fixed script of calls over what databases may understand differently. Its transcript is the same on each. */
export async function playScenario(recorder: Recorder, cast: Cast): Promise<void> {
  await names(recorder, cast);
  await customersAndTypes(recorder, cast);
  await listsAndFilters(recorder, cast);
  await search(recorder, cast);
  await oneAlert(recorder, cast);
  await deliveries(recorder);
  await accounts(recorder, cast);
}

async function names({ section, call }: Recorder, { mara, jon }: Cast): Promise<void> {
  section('Folders: which names are the same');
  for (const name of LOOKALIKES) await call(mara, 'POST', '/api/folders', { name, ...MOVES.blue });
  for (const name of ['x'.repeat(100), 'x'.repeat(101), '🔥'.repeat(50), 'é'.repeat(100)]) {
    await call(jon, 'POST', '/api/folders', { name, ...MOVES.red });
  }
  await call(jon, 'POST', '/api/folders', { name: 'half \uD800', ...MOVES.red });
  await call(jon, 'POST', '/api/folders', { name: 'half \uFFFD', ...MOVES.red });
  await call(jon, 'GET', '/api/folders');

  section('Folders: order, and what becomes of children');
  const parent = idOf(await call(jon, 'POST', '/api/folders', { name: 'Parent', order: 2, ...MOVES.red }));
  await call(jon, 'POST', '/api/folders', { name: 'Parent', order: 1, parentId: parent, ...MOVES.red });
  await call(jon, 'POST', '/api/folders', { name: 'parent', order: 1, parentId: parent, ...MOVES.red });
  await call(jon, 'POST', '/api/folders', { name: 'Parent (2)', order: -0, ...MOVES.red });
  await call(mara, 'DELETE', `/api/folders/${parent}`);
  await call(jon, 'DELETE', `/api/folders/${parent}`);
  await call(jon, 'GET', '/api/folders');
}

async function customersAndTypes({ section, call, post }: Recorder, { mara, jon }: Cast): Promise<void> {
  section('Customers and types: which are the same, and how they are ordered');
  for (const name of LOOKALIKES) await post({ customer: name, type: name });
  await post({ customer: '👍'.repeat(201), type: 'é'.repeat(201) });
  await post({ customer: '\uD800', type: '\uDFFF' });
  const customers = z
    .array(z.object({ id: z.string(), name: z.string() }))
    .parse(await call(mara, 'GET', '/api/customers'));
  await call(mara, 'GET', '/api/alert-types');

  section('Mutes: of exactly what was named');
  for (const alertType of ['urgent', 'Urgent ', 'uRGENT', 'Resumé', '🔥', '💦', 'a\u0000b', '\\']) {
    await call(mara, 'POST', '/api/alert-types/mutes', { alertType });
  }
  await call(mara, 'POST', '/api/alert-types/mutes', { alertType: '🔥' });
  await call(mara, 'GET', '/api/alert-types/mutes');
  await call(jon, 'GET', '/api/alert-types/mutes');
  for (const alertType of ['URGENT', '💧', 'urgent']) {
    await call(mara, 'DELETE', `/api/alert-types/mutes/${encodeURIComponent(alertType)}`);
  }
  await call(mara, 'GET', '/api/alert-types/mutes');
  const fire = customers.find(({ name }) => name === '🔥')?.id;
  await call(jon, 'POST', '/api/customer-mutes', { customerId: fire });
  await call(jon, 'POST', '/api/customer-mutes', { customerId: fire });
  await call(jon, 'GET', '/api/customer-mutes');
  await call(jon, 'POST', '/api/alert-types/mutes/bulk', { muted: true });
  await call(jon, 'POST', '/api/alert-types/mutes/bulk', { muted: false });
}

async function listsAndFilters({ section, call }: Recorder, { mara, jon, admin }: Cast): Promise<void> {
  section('Filters: exactly one customer, one type');
  for (const name of [
    'urgent',
    'URGENT',
    'uRGENT',
    'Resume',
    'Résumé',
    '🔥',
    '💧',
    '%',
    '_',
    '\\',
    "O'Brien",
    'a\u0000b',
    '10',
  ]) {
    const value = encodeURIComponent(name);
    await call(mara, 'GET', `/api/alerts/inbox?limit=1&customer=${value}`);
    await call(admin, 'GET', `/api/alerts/all?limit=1&alertType=${value}`);
  }
  await call(mara, 'GET', '/api/alerts/inbox?customer=urgent&alertType=Urgent');
  await call(mara, 'GET', '/api/alerts/facets?list=inbox');

  section('Orders, pages and totals');
  const inbox = z
    .array(z.object({ id: z.string() }))
    .parse(await call(jon, 'GET', '/api/alerts/inbox?limit=6&sort=oldest'))
    .map(({ id }) => id);
  for (const id of inbox) await call(jon, 'POST', `/api/alerts/${id}/accept`);
  for (const [index, id] of inbox.entries()) {
    const status = (['accepted', 'in-progress', 'completed'] as const)[index % 3];
    await call(jon, 'PATCH', `/api/webhooks/${id}/status`, { status });
  }
  for (const sort of ['newest', 'oldest', 'status']) {
    await call(jon, 'GET', `/api/alerts/mine?sort=${sort}&limit=4`);
    await call(jon, 'GET', `/api/alerts/mine?sort=${sort}&limit=2&before=${cursor(sort, inbox[1])}`);
  }
  for (const status of ['accepted', 'in-progress', 'completed', 'pending']) {
    await call(jon, 'GET', `/api/alerts/mine?limit=1&status=${status}`);
  }
  await call(admin, 'GET', '/api/alerts/all?limit=2&sort=status');
  await call(admin, 'GET', '/api/alerts/stats');
}

/** As the server would put it into Link: the row, in the order by status with its status in front. */
const cursor = (sort: string, id: string | undefined) => (sort === 'status' ? `in-progress~${id}` : id);

async function search({ section, call, post }: Recorder, { mara, admin }: Cast): Promise<void> {
  section('Search: no wildcards, no case, whole payloads');
  const texts = [
    'disk 100% full',
    'disk 1005 full',
    String.raw`C:\temp\log_file`,
    'logXfile',
    'Über den Wolken',
    'UBER uns',
    'ÜBER ALLES',
    'Ελλάδα',
    'ΕΛΛΆΔΑ',
    'İzmir',
    'izmir',
    'it\'s "quoted"',
    '🔥 in the 日本 office',
    'a\tb',
    'tab  two spaces',
    `long ${'lorem ipsum '.repeat(2_000)} needle-at-the-end`,
  ];
  for (const [index, text] of texts.entries())
    await post({ text, nested: { deep: [text] }, n: index, customer: `Search ${index}` });
  const queries = [
    '100%',
    '100_',
    '%',
    '_file',
    'LOG_FILE',
    '\\temp',
    '\\',
    'über',
    'ÜBER',
    'uber',
    'ελλάδα',
    'ελλαδα',
    'izmir',
    'İZMİR',
    "it's",
    '"quoted"',
    '🔥',
    '日本',
    'office',
    'NEEDLE-AT-THE-END',
    'two spaces',
    ' two  spaces ',
    'search 1',
    'Search 15',
    'nested',
    'webhook',
    'no such thing',
    "' OR 1=1 --",
    'a\u0000b',
    'AND',
    'NEAR(',
    '*',
    'x',
  ];
  for (const q of queries) await call(mara, 'GET', `/api/alerts/inbox?limit=1&q=${encodeURIComponent(q)}`);
  await call(admin, 'GET', '/api/alerts/all?limit=1&q=disk&status=pending&customer=Search%201');
  await call(mara, 'GET', '/api/alerts/inbox?q=');
}

async function oneAlert({ section, call, post }: Recorder, { mara, jon, admin }: Cast): Promise<void> {
  section('One alert: exactly as posted, from hand to hand');
  const posted = '{ "b": 1, "a": 12345678901234567890.10, "é": "\\u00e9", "🔥": null, "": [], "b2": "x\\u0000y" }';
  const id = idOf(await post(posted, { 'ce-type': 'Ünicode' }, '?q=a&q=b&%F0%9F%94%A5=%F0%9F%92%A7'));
  await call(mara, 'GET', '/api/alerts/inbox?limit=1');
  await call(mara, 'POST', `/api/alerts/${id}/accept`);
  await call(jon, 'POST', `/api/alerts/${id}/accept`);
  await call(mara, 'POST', `/api/alerts/${id}/accept`);
  const folder = idOf(await call(mara, 'POST', '/api/folders', { name: 'Für später 🕰️', ...MOVES.blue }));
  await call(jon, 'PATCH', `/api/webhooks/${id}/move`, { folderId: folder });
  await call(mara, 'PATCH', `/api/webhooks/${id}/move`, { folderId: folder });
  await call(mara, 'PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  await call(mara, 'PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  await call(mara, 'GET', `/api/alerts/folder/${folder}`);
  await call(mara, 'GET', '/api/alerts/all-folders');
  await call(mara, 'DELETE', `/api/webhooks/${id}`);
  await call(admin, 'POST', `/api/alerts/${id}/unaccept`);
  await call(jon, 'GET', `/api/alerts/${id}/history`);
  await call(jon, 'DELETE', `/api/webhooks/${id}`);
  await call(jon, 'GET', `/api/alerts/${id}/history`);
  await call(admin, 'GET', `/api/alerts/${id}/history`);
}

async function deliveries({ section, post }: Recorder): Promise<void> {
  section('Deliveries: the same only when their keys are, to the letter');
  for (const key of ['delivery', 'DELIVERY', 'delivery ', 'délivery', 'delivery!']) {
    await post({ n: 1 }, { 'Idempotency-Key': key.normalize('NFC') });
  }
  await post({ n: 2 }, { 'Idempotency-Key': 'delivery' });
  await post({ n: 1 }, { 'webhook-id': 'delivery' });
}

async function accounts({ section, call }: Recorder, { admin, mara }: Cast): Promise<void> {
  section('Accounts: e-mails without regard to case, names to the letter');
  for (const [email, displayName] of [
    ['new@example.com', 'Zoë 🔥'],
    ['NEW@example.com', 'Another'],
    [' new@EXAMPLE.com ', 'Another'],
    ['new2@example.com', 'Zoë 🔥'],
    ['straße@example.com', 'Not ASCII'],
    [`${'a'.repeat(240)}@example.com`, 'Long'],
    [`${'a'.repeat(60)}@example.com`, 'é'.repeat(100)],
  ]) {
    await call(admin, 'POST', '/api/auth/users', { email, displayName, password: 'pässwörd' });
  }
  const newcomer = { name: 'newcomer', client: mara.client };
  await call(newcomer, 'POST', '/api/auth/login', { email: 'new@example.com', password: 'PÄSSWÖRD' });
  await call(newcomer, 'POST', '/api/auth/login', { email: 'nEw@example.com', password: 'pässwörd' });
  await call(newcomer, 'GET', '/api/auth/session');
  await call(admin, 'GET', '/api/auth/users');
  for (const name of ['Key', 'Key', 'key 🔑', 'x'.repeat(101)]) await call(admin, 'POST', '/api/api-keys', { name });
  await call(admin, 'GET', '/api/api-keys');
  await call(admin, 'GET', '/api/audit?limit=4');
  await call(admin, 'GET', '/api/alerts/stats');
}
