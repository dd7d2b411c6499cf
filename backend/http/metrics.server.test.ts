import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { latencySchema } from '#backend/contract/latency.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { metricValue, readMetrics } from '#tests/support/read-metrics.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const TOKEN = 'the-token-of-the-test';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
/** What a proxy adds: the request is not this machine's own any more. */
const ELSEWHERE = { 'X-Forwarded-For': '203.0.113.7' };

describe('who may read', () => {
  let open: TestServer;
  let guarded: TestServer;
  beforeAll(async () => {
    open = await startTestServer();
    guarded = await startTestServer({ METRICS_TOKEN: TOKEN });
  });
  afterAll(async () => {
    await open.destroy();
    await guarded.destroy();
  });

  test('this machine, without a token', async () => {
    for (const server of [open, guarded]) {
      const response = await server.anonymous().get('/metrics');
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(readMetrics(await response.text()).size).toBeGreaterThan(20);
    }
  });

  test('nobody else while there is no token, signed in or not', async () => {
    const admin = await open.signedIn({ role: 'admin' });
    for (const headers of [ELSEWHERE, { ...ELSEWHERE, ...bearer('undefined') }]) {
      const response = await admin.get('/metrics', headers);
      expect(response.status).toBe(403);
      expect(await response.text()).toBe('Metrics are for this machine only, unless METRICS_TOKEN is set.');
    }
  });

  test.each([
    { PUBLIC_URL: 'https://alerts.example.com', ALLOWED_HOSTS: '127.0.0.1' },
    { TRUST_PROXY: '1' },
    { ALLOWED_HOSTS: '127.0.0.1,alerts.example.com' },
  ])('not even this machine without a token where others reach the server: %j', async (environment) => {
    const server = await startTestServer(environment);
    onTestFinished(() => server.destroy());
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(403);
    expect(await response.text()).toMatch(/^Set METRICS_TOKEN to read the metrics: PUBLIC_URL, TRUST_PROXY or ALLOWED/);
  });

  test('who presents the token', async () => {
    const reader = guarded.anonymous();
    const read = (headers: Record<string, string>) => reader.get('/metrics', { ...ELSEWHERE, ...headers });
    expect((await read(bearer(TOKEN))).status).toBe(200);
    for (const headers of [{}, bearer(`${TOKEN}x`), bearer(TOKEN.slice(1)), { Authorization: `Basic ${TOKEN}` }]) {
      const response = await read(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="metrics"');
      expect(await response.text()).toBe('Present METRICS_TOKEN as a bearer token to read the metrics.');
    }
  });
});

const figures = async (who: TestClient) => latencySchema.parse(await (await who.get('/api/latency')).json());

describe('what is counted', () => {
  let server: TestServer;
  let member: TestClient;
  let key: string;
  beforeAll(async () => {
    server = await startTestServer();
    member = await server.signedIn();
    key = await server.addApiKey();
  });
  afterAll(() => server.destroy());

  const scrape = async () => (await server.anonymous().get('/metrics')).text();
  const value = async (series: string) => metricValue(await scrape(), series) ?? 0;
  /** Reads how much series have grown since now: tests share a server, and so do attempts of one. */
  const countFromNow = async () => {
    const before = await scrape();
    return (text: string, series: string) => (metricValue(text, series) ?? 0) - (metricValue(before, series) ?? 0);
  };

  test('webhooks by outcome, and how long they took to be committed', async () => {
    const grown = await countFromNow();
    for (let count = 0; count < 3; count += 1) await member.postAlert(key);
    const once = { 'Idempotency-Key': crypto.randomUUID() };
    await member.post(key, { customer: 'Nordwind' }, once);
    await member.post(key, { customer: 'Nordwind' }, once);
    await member.post(key, { customer: 'Another' }, once);
    await member.post('no key', {});
    await member.post(key, '{"broken');
    const text = await scrape();
    const outcome = (name: string) => grown(text, `alertdesk_ingest_alerts_total{outcome="${name}"}`);
    expect([outcome('accepted'), outcome('repeated'), outcome('refused')]).toEqual([4, 1, 3]);
    expect(grown(text, 'alertdesk_ingest_commit_duration_seconds_count')).toBe(4);
    expect(grown(text, 'alertdesk_ingest_batch_alerts_sum')).toBe(6);
    expect(metricValue(text, 'alertdesk_ingest_queue_alerts')).toBe(0);
    const answers = (status: number) =>
      grown(text, `alertdesk_http_request_duration_seconds_count{method="POST",route="/webhook",status="${status}"}`);
    expect([202, 400, 401, 409].map(answers)).toEqual([5, 1, 1, 1]);
  });

  test('requests by route, never by path', async () => {
    const grown = await countFromNow();
    const ids = [(await member.postAlert(key)).id, (await member.postAlert(key)).id];
    for (const id of ids) await member.get(`/api/alerts/${id}/history`);
    await member.get('/api/nowhere/secret-path');
    await member.get('/some/screen');
    await fetch(`${server.url}/api/alerts/inbox`, { method: 'PROPFIND' });
    const text = await scrape();
    const answers = (method: string, route: string, status: number) =>
      grown(
        text,
        `alertdesk_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    expect(answers('GET', '/api/alerts/:id/history', 200)).toBe(2);
    expect(answers('GET', 'other', 404)).toBe(1);
    expect(answers('GET', 'web app', 404) + answers('GET', 'web app', 200)).toBe(1);
    expect(answers('other', 'other', 404)).toBe(1);
    for (const path of [...ids, 'secret-path', 'some/screen']) expect(text).not.toContain(path);
  });

  test('live clients and what they are sent', async () => {
    const before = await value('alertdesk_live_events_sent_total');
    const clients = [await listenLive(member), await listenLive(member, '/ws')];
    onTestFinished(() => clients.forEach(({ socket }) => socket.terminate()));
    expect(await value('alertdesk_live_sockets')).toBe(2);
    await member.postAlert(key);
    for (const { events } of clients) await expect.poll(() => events.length).toBe(2);
    expect((await value('alertdesk_live_events_sent_total')) - before).toBe(4);
    expect(await value('alertdesk_live_buffered_bytes')).toBe(0);
    for (const { socket } of clients) socket.close();
    await expect.poll(() => value('alertdesk_live_sockets')).toBe(0);
  });

  test('how long new alerts take to live clients, and to a screen that reports it', async () => {
    const admin = await server.signedIn({ role: 'super_user' });
    const before = await figures(admin);
    const grown = await countFromNow();
    const { socket, events } = await listenLive(member);
    onTestFinished(() => socket.terminate());
    const { id } = await member.postAlert(key);
    await expect.poll(() => events.length).toBe(2);
    await expect.poll(async () => (await figures(admin)).delivered.samples).toBe(before.delivered.samples + 1);
    for (const afterMs of [60_000, 0, 0]) socket.send(JSON.stringify({ type: 'shown', alertId: id, afterMs }));
    await expect.poll(async () => (await figures(admin)).shown.samples).toBe(before.shown.samples + 1);
    const { minutes, servers, delivered, shown } = await figures(admin);
    expect([minutes, servers]).toEqual([5, 1]);
    expect(shown.p99Ms).toBeGreaterThan(0);
    expect(delivered.medianMs).toBeLessThanOrEqual(delivered.p95Ms ?? 0);
    const text = await scrape();
    expect(grown(text, 'alertdesk_live_screen_seconds_count')).toBe(1);
    expect(grown(text, 'alertdesk_live_delivery_seconds_count{origin="here"}')).toBe(1);
    socket.close();
    await expect.poll(() => value('alertdesk_live_sockets')).toBe(0);
  });

  test('a session that ends takes its live clients with it', async () => {
    const grown = await countFromNow();
    const leaving = await server.signedIn();
    const { closed } = await listenLive(leaving);
    await leaving.send('POST', '/api/auth/logout');
    await closed;
    expect(grown(await scrape(), 'alertdesk_live_dropped_clients_total{reason="session_ended"}')).toBe(1);
  });

  test('sign-ins by how they ended', async () => {
    const email = (await server.addUser()).email;
    const grown = await countFromNow();
    const login = (password: string) => server.anonymous().send('POST', '/api/auth/login', { email, password });
    await login('wrong');
    await login('correct horse');
    const text = await scrape();
    expect(grown(text, 'alertdesk_sign_ins_total{outcome="succeeded"}')).toBe(1);
    expect(grown(text, 'alertdesk_sign_ins_total{outcome="refused"}')).toBe(1);
  });

  test('transactions', async () => {
    const before = await value('alertdesk_database_transaction_duration_seconds_count');
    await server.database.transaction(async () => undefined);
    expect(await value('alertdesk_database_transaction_duration_seconds_count')).toBeGreaterThan(before);
    expect(await value('alertdesk_database_errors_total{kind="other"}')).toBe(0);
  });

  test('web push, by what became of it', async () => {
    const service = await startPushService();
    const own = await startTestServer({}, { push: service.parts });
    const ownMember = await own.signedIn();
    await service.subscribe(ownMember);
    await ownMember.postAlert(await own.addApiKey());
    const read = async (series: string) => metricValue(await (await own.anonymous().get('/metrics')).text(), series);
    await expect.poll(() => read('alertdesk_push_messages_total{outcome="sent"}')).toBe(1);
    await expect.poll(() => read('alertdesk_push_waiting_alerts')).toBe(0);
    expect(await read('alertdesk_push_sending_messages')).toBe(0);
    await own.destroy();
    await service.close();
  });
});
