import { access, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type EmbeddedServer, startEmbeddedServer } from '#tests/support/embedded-server.ts';
import { freePort } from '#tests/support/mariadb.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { buildServer, thisMachine } from './build-server.ts';
import { type Target, shippedFiles } from './shipped-files.ts';

/** Two builds, on a busy machine. */
const BUILD_TIMEOUT = 180_000;

describe('the embedded server, away from the project', () => {
  let folder: string;
  let server: EmbeddedServer;
  let admin: SignedInClient;
  let origin: string;
  let smtpPort: number;

  beforeAll(async () => {
    smtpPort = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'alertdesk-embedded-'));
    await buildServer(join(folder, 'server'), thisMachine());
    server = await startEmbeddedServer(join(folder, 'server'), {
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      SMTP_PORT: String(smtpPort),
      SMTP_DOMAIN: 'alerts.example.com',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    });
    if (server.report.type !== 'listening') throw new Error(server.report.message);
    origin = server.report.url;
    admin = await signIn(new URL(origin), ADMIN);
  }, BUILD_TIMEOUT);

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const alerts = async (path: string) => alertListSchema.parse(await (await admin.request('GET', path)).json());

  test('takes an alert and shows it', async () => {
    const { plainKey } = await admin.createApiKey('Embedded');
    const { status } = await fetch(`${origin}/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': plainKey },
      body: JSON.stringify({ customer: 'Harbor & Finch', alertType: 'order.payment_failed', order: 'HF-204918' }),
    });
    expect(status).toBe(202);
    expect((await alerts('/api/alerts/inbox')).map(({ customer }) => customer)).toEqual(['Harbor & Finch']);
    expect(await alerts('/api/alerts/all?q=204918')).toHaveLength(1);
    expect(await alerts('/api/alerts/all?q=204919')).toHaveLength(0);
  });

  test('keeps the search index in its thread', async () => {
    await expect.poll(() => access(join(folder, 'data', 'search.sqlite')).then(() => true)).toBe(true);
    expect(server.output()).not.toContain('search index is behind');
  });

  test('counts insight in its thread', async () => {
    // The alert may have come before midnight.
    const [yesterday, today] = [Date.now() - 24 * 60 * 60_000, Date.now()].map((at) =>
      new Date(at).toISOString().slice(0, 10),
    );
    const answer = await admin.request(
      'GET',
      `/api/insight?from=${yesterday}&to=${today}&timeZone=UTC&customer=Harbor+%26+Finch`,
    );
    expect([answer.status, ((await answer.json()) as { totals: object }).totals]).toMatchObject([200, { arrived: 1 }]);
  });

  test('searches the audit trail, and evaluates paths of mappings, in their threads', async () => {
    const found = await admin.request('GET', '/api/audit?q=Embedded');
    expect([found.status, await found.json()]).toMatchObject([200, [{ subject: 'Embedded' }]]);
    const mapping = { title: 'list[?@.a == 2].b' };
    const created = await admin.request('POST', '/api/sources', { name: 'Mapped', settings: { mapping } });
    const { plain } = sourceWithSecretsSchema.parse(await created.json());
    const posted = await fetch(`${origin}/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': plain.key ?? '' },
      body: JSON.stringify({ list: [{ a: 1 }, { a: 2, b: 'The second' }] }),
    });
    const { id } = (await posted.json()) as { id: string };
    expect((await alerts('/api/alerts/inbox')).find((alert) => alert.id === id)?.title).toBe('The second');
  });

  test('reads large deliveries and emails in their threads', async () => {
    const created = await admin.request('POST', '/api/sources', { name: 'Large', settings: {} });
    const { plain, source } = sourceWithSecretsSchema.parse(await created.json());
    const posted = await fetch(`${origin}/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': plain.key ?? '' },
      body: JSON.stringify({ title: 'Large', lines: 'x'.repeat(200_000) }),
    });
    expect([posted.status, await posted.json()]).toMatchObject([202, {}]);
    const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
    const { response } = await transport.sendMail({
      from: 'nagios@nagios.example',
      to: source.mailAddress ?? '',
      subject: 'Disk full on web-1',
      text: 'Only 1 % left.',
    });
    expect(response).toMatch(/^250 /);
    const titles = (await alerts('/api/alerts/inbox')).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['Large', 'Disk full on web-1']));
  });

  test('has every script of its threads in a bundle', async () => {
    const files = await readdir(join(folder, 'server', 'backend'));
    expect(files.filter((name) => name.endsWith('.ts'))).toEqual([]);
  });

  test('serves the web app, compressed', async () => {
    const page = await fetch(`${origin}/my-alerts`, { headers: { 'accept-encoding': 'br' } });
    expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br']);
    const script = /src="?(\/assets\/main\.[^" >]+\.js)/.exec(await page.text())?.[1];
    expect((await fetch(`${origin}${script}`)).headers.get('content-type')).toContain('javascript');
  });

  test('serves the page about its API, with Swagger UI', async () => {
    for (const path of ['/api/docs', '/api/docs/docs.js', '/api/docs/swagger-ui-bundle.js']) {
      expect([path, (await admin.request('GET', path)).status]).toEqual([path, 200]);
    }
  });

  test('stops on request, with nothing left over', async () => {
    expect(await server.stop()).toBe(0);
    await expect(access(join(folder, 'data', 'alertdesk.sqlite-wal'))).rejects.toThrow('ENOENT');
  });

  test('starts again on the same data, and reports a port that is taken', async () => {
    const again = await startEmbeddedServer(join(folder, 'server'), {
      DATA_DIR: join(folder, 'data'),
      PORT: new URL(origin).port,
    });
    expect(again.report).toEqual({ type: 'listening', url: origin });
    const second = await startEmbeddedServer(join(folder, 'server'), {
      DATA_DIR: join(folder, 'other'),
      PORT: new URL(origin).port,
    });
    expect(second.report).toMatchObject({ type: 'failed', isPortTaken: true });
    expect(await second.stop()).toBe(1);
    expect(await again.stop()).toBe(0);
  });
});

describe('what ships of packages', () => {
  const MAGIC = { win32: 'MZ', darwin: '\xcf\xfa\xed\xfe', linux: '\x7fELF' };
  const targets: Target[] = (['win32', 'darwin', 'linux'] as const).flatMap((platform) =>
    (['x64', 'arm64'] as const).map((arch) => ({ platform, arch })),
  );

  test.each(targets)('has a native binary for $platform on $arch', async (target) => {
    const files = shippedFiles(target).map((path) => join(PROJECT_DIR, 'node_modules', path));
    await Promise.all(files.map((file) => access(file)));
    const binaries = files.filter((file) => file.endsWith('.node'));
    expect(binaries).toHaveLength(2);
    for (const binary of binaries) {
      await using file = await open(binary);
      const { buffer } = await file.read({ buffer: Buffer.alloc(4), position: 0 });
      expect(buffer.toString('latin1')).toContain(MAGIC[target.platform]);
    }
  });
});
