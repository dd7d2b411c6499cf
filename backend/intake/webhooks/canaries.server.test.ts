import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { deliveryListSchema } from '#backend/contract/delivery.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { exportInstallation } from '#backend/transfer/export/export-lines.ts';
import { SECRETS_FILE } from '#backend/platform/database/private-files.ts';
import { listening, startMain } from '#tests/support/main-process.ts';
import { makeHeartbeat } from '#tests/support/heartbeat-calls.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { startTraceCollector } from '#tests/support/trace-collector.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ADMIN = 'admin@alertdesk.local';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Of each secret its middle, which no masked secret shows, by where it was sent. */
const middles = new Map<string, string>();
const canary = (place: string): string => {
  const middle = crypto.randomUUID().replaceAll('-', '');
  middles.set(place, middle);
  return `secret-${middle}-tail`;
};
const inJson = (text: string) => [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
const inAddress = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

/** Where a secret is found in a text, in whatever spelling. */
const placesIn = (text: string): string[] => {
  const lower = text.toLowerCase();
  const isThere = (middle: string) =>
    [middle, inJson(middle), inJson(middle).replaceAll('\\', '\\\\'), inAddress(middle)].some((one) =>
      lower.includes(one),
    );
  return [...middles].filter(([, middle]) => isThere(middle.toLowerCase())).map(([place]) => place);
};

/** An event of PagerDuty's API, but for its braces and its key. */
const event = (key: string) =>
  `"event_action":"trigger","payload":{"summary":"Disk","source":"db","severity":"info","custom_details":{"key":"${key}"}}`;

const slackForm = (secret: string) => `team_domain=n&text=Hi&user_name=anna&tok%65n=${inAddress(secret)}`;

const asText = (_: string, value: unknown) =>
  Buffer.isBuffer(value) ? value.toString('latin1') : typeof value === 'bigint' ? String(value) : value;

/** Everything that is stored: each row of each table, or each file. */
async function everythingOf({ dataDir, databaseUrl }: TestPlace): Promise<string> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile() && file.name !== SECRETS_FILE,
  );
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  const stored = [(await Promise.all(texts)).join('\n')];
  if (databaseUrl === undefined) return stored.join('');
  const connection = await createConnection(databaseUrl);
  const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  for (const name of tables.map((row) => String(Object.values(row)[0]))) {
    const [rows] = await connection.query(`SELECT * FROM \`${name}\``);
    stored.push(JSON.stringify(rows, asText).replaceAll('\\\\', '\\'));
  }
  await connection.end();
  return stored.join('\n');
}

async function exportOf(place: TestPlace): Promise<string> {
  const database = await openTestDatabase(place);
  let text = '';
  await database.snapshot(async (query) => {
    for await (const part of exportInstallation(query, Date.now())) text += part.text;
  });
  await database.close();
  return text;
}

test('a secret of a request is nowhere: not in the database, log, export, answers, metrics and traces', async () => {
  const [place, collector] = [await makeMigratedPlace(), await startTraceCollector()];
  onTestFinished(async () => {
    await collector.close();
    await place.remove();
  });
  const started = startMain(place, { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const { url, password } = await listening(started);
  const admin = new TestClient(url);
  await admin.signIn(ADMIN, password);
  const newSource = async (settings: object) => {
    const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID() });
    const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
    expect((await admin.send('PATCH', `/api/sources/${source.id}`, { settings })).status).toBe(200);
    const [key, token] = [plain.key ?? '', plain.token ?? ''];
    middles.set(`key of ${JSON.stringify(settings)}`, key.slice(3, -4));
    middles.set(`token of ${JSON.stringify(settings)}`, token.slice(4, -4));
    return { id: source.id, key, token, auth: source.settings.auth };
  };
  const send = async (path: string, headers: Record<string, string>, body: string | Buffer): Promise<number> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    return (await fetch(url + path, init as RequestInit)).status;
  };

  const [auto, chosen, slack] = [
    await newSource({ adapter: 'auto' }),
    await newSource({ adapter: 'generic' }),
    await newSource({ adapter: 'slack' }),
  ];
  const beat = await makeHeartbeat({ admin });
  const stranger = `/ping/${crypto.randomUUID()}`;
  for (const address of [beat.path, stranger]) {
    middles.set(`address ${address === beat.path ? 'of a heartbeat' : 'of nobody'}`, address.slice(6, -5));
    await send(address, { 'Content-Type': 'text/plain' }, 'done');
    await send(`${address}/7`, { Accept: 'application/json' }, '');
    await send(`${address}/256?rid=none`, {}, '');
  }
  const statuses: number[] = [];
  for (const { key } of [auto, chosen]) {
    const posted = [
      `{"routing_key":"${key}",${event(key)}}`,
      String.raw`{"routing\u005fkey":"${key}",${event(key)}}`,
      `{"routing_key":"${inJson(key)}",${event('-')}}`,
      `{"routing_key":"${canary('first of two routing keys')}",${event('-')},"routing_key":"${key}"}`,
    ];
    for (const body of posted) statuses.push(await send('/v2/enqueue', {}, body));
    const gzip = { 'Content-Encoding': 'gzip' };
    statuses.push(await send('/v2/enqueue', gzip, gzipSync(`{"routing_key":"${key}",${event(key)}}`)));
    const besides = `{"routing_key":"${canary('routing key beside a header')}",${event('-')}}`;
    statuses.push(await send('/v2/enqueue', { 'X-Webhook-Auth': key }, besides));

    const own = { 'X-Webhook-Auth': key, 'ce-subject': key, 'X-Copy': key };
    statuses.push(await send('/webhook', own, JSON.stringify({ title: key, inner: JSON.stringify({ deeper: key }) })));
    statuses.push(await send('/webhook', own, JSON.stringify({ a: `{"b":"${inJson(key)}"}` })));
    statuses.push(await send('/webhook', { ...own, ...FORM }, `title=Disk&note=${inAddress(key)}`));
    const payload = encodeURIComponent(JSON.stringify({ zen: key }).replace(key, inJson(key)));
    statuses.push(await send('/webhook', { ...own, ...FORM }, `payload=${payload}`));
    const lines = { ...own, 'Content-Type': 'application/x-ndjson' };
    statuses.push(await send('/webhook', lines, `{"title":"${key}"}\n{"title":"${key}"}`));
  }
  const secretHeaders = ['X-Auth-Token', 'X-Access-Key', 'Cookie', 'X-Client-Secret', 'X-Custom-Signature', 'ce-token'];
  const headers = Object.fromEntries(secretHeaders.map((name) => [name, canary(`header ${name}`)]));
  const parameters = ['api_key', 'apiKey', 'pass%77ord', 'client_secret', 'access_token', 'auth', 'sig', 'x-api-key'];
  const query = parameters.map((name) => `${name}=${canary(`parameter ${name}`)}`).join('&');
  statuses.push(await send(`/in/${auto.token}?${query}`, headers, `{"title":"${auto.token}"}`));
  statuses.push(await send(`/webhook?token=${inAddress(auto.token)}&a=${inAddress(auto.token)}`, {}, '{"title":"x"}'));

  for (const { token } of [auto, slack]) {
    const answers = `&response_url=${encodeURIComponent(`https://hooks.slack.com/${canary('address for answers')}`)}`;
    statuses.push(await send(`/in/${token}`, FORM, slackForm(canary("Slack's token")) + answers));
    const said = `{"team_id":"n","token":"${canary("Slack's token twice")}","text":"Hi","tok\\u0065n":"${canary("Slack's token in JSON")}"}`;
    if (token === slack.token) statuses.push(await send(`/in/${token}`, {}, said));
  }
  const notice = {
    Type: 'Notification',
    TopicArn: 'arn:aws:sns:eu-west-1:1:a',
    Subject: 'Disk',
    Message: 'Full',
    UnsubscribeURL: `https://sns.eu-west-1.amazonaws.com/?${canary('address that unsubscribes')}`,
  };
  statuses.push(await send(`/in/${auto.token}`, {}, JSON.stringify(notice)));
  // Slack takes anything but 200 for a failure.
  expect(new Set(statuses)).toEqual(new Set([202, 200]));

  // What is refused is kept for its operators.
  const confirmation = {
    Type: 'SubscriptionConfirmation',
    TopicArn: notice.TopicArn,
    Token: canary("SNS's token"),
    SubscribeURL: `https://sns.eu-west-1.amazonaws.com/?Token=${canary('address that subscribes')}`,
  };
  expect(await send(`/in/${auto.token}`, {}, JSON.stringify(confirmation))).toBe(401);
  const broken = `{"routing_key":"${canary('routing key of no JSON')}","copy":"${auto.key}","event_action":`;
  expect(await send('/v2/enqueue', { 'X-Webhook-Auth': auto.key }, broken)).toBe(400);
  const settings = { auth: { ...slack.auth, token: false } };
  expect((await admin.send('PATCH', `/api/sources/${slack.id}`, { settings })).status).toBe(200);
  expect(await send(`/in/${slack.token}`, FORM, slackForm(canary("Slack's token, refused")))).toBe(401);

  const answers: string[] = [];
  const get = async (path: string) => {
    const text = await (await admin.get(path)).text();
    answers.push(text);
    return text;
  };
  for (const { id } of [auto, chosen, slack]) {
    const listed = () =>
      get(`/api/sources/${id}/deliveries`).then((text) => deliveryListSchema.parse(JSON.parse(text)));
    await waitFor(async () => expect((await listed()).length).toBeGreaterThan(id === slack.id ? 2 : 10));
    const ids = (await listed()).map((one) => one.id);
    for (const one of ids) await get(`/api/deliveries/${one}`);
    const replayed = await admin.send('POST', `/api/sources/${id}/replay`, { ids, notify: true });
    const text = await replayed.text();
    answers.push(text);
    expect(JSON.parse(text)).toMatchObject({ notReplayed: [] });
    for (const adapter of ['generic', 'slack']) {
      const request = { deliveryId: ids[0], adapter };
      answers.push(await (await admin.send('POST', `/api/sources/${id}/dry-run`, request)).text());
    }
  }
  await get('/api/alerts');
  await get('/metrics');
  started.child.kill('SIGTERM');
  await started.ended;

  const log = started.output.out + started.output.err;
  expect(collector.bodies.length).toBeGreaterThan(0);
  expect({
    answers: placesIn(answers.join('\n')),
    stored: placesIn(await everythingOf(place)),
    exported: placesIn(await exportOf(place)),
    logged: placesIn(log),
    traced: placesIn(collector.bodies.join('\n')),
  }).toEqual({ answers: [], stored: [], exported: [], logged: [], traced: [] });
});
