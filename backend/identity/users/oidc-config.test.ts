import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '#backend/server/config.ts';
import { readSection } from '#tests/support/runbook.ts';
import { roleOf } from '#backend/identity/oidc/claims.ts';

const folder = mkdtempSync(join(tmpdir(), 'alertdesk-oidc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROVIDER = { id: 'company', name: 'Example Corp', issuer: 'https://login.example.com', clientId: 'alertdesk' };

/** Reads a file with these providers. */
function read(content: unknown, environment: Record<string, string> = {}) {
  const file = join(folder, 'providers.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readConfig({ OIDC_FILE: file, PUBLIC_URL: 'https://alerts.example.com', ...environment });
}

describe('OIDC_FILE', () => {
  test('names providers, whose options are off by default', () => {
    const { oidcProviders, passwordOnlyFor } = read({ providers: [PROVIDER] });
    expect(passwordOnlyFor).toBeUndefined();
    expect(oidcProviders).toEqual([
      {
        ...PROVIDER,
        issuer: new URL(PROVIDER.issuer),
        clientAuth: 'client_secret_basic',
        scopes: ['openid', 'email', 'profile'],
        linkByEmail: false,
        createAccounts: false,
        secondStep: false,
        signOut: false,
      },
    ]);
    expect(readConfig({}).oidcProviders).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{"clientSecret": "hidden', 'is not valid JSON.'],
    ['no providers', { providers: [] }, 'providers: '],
    ['an unknown option', { providers: [{ ...PROVIDER, linkByMail: true }] }, 'linkByMail'],
    ['an issuer without TLS', { providers: [{ ...PROVIDER, issuer: 'http://login.example.com' }] }, 'https:// address'],
    ['an id with a slash', { providers: [{ ...PROVIDER, id: 'a/b' }] }, 'providers.0.id: '],
    ['scopes without openid', { providers: [{ ...PROVIDER, scopes: ['email'] }] }, 'a list with "openid"'],
    ['the same id twice', { providers: [PROVIDER, { ...PROVIDER, clientId: 'b' }] }, 'another id for each provider'],
    ['the same client twice', { providers: [PROVIDER, { ...PROVIDER, id: 'b' }] }, 'each client of an issuer once'],
    ['a secret that is none', { providers: [{ ...PROVIDER, clientSecret: 5, name: 'hidden' }] }, 'clientSecret: '],
  ])('with %s stops the start, and the message shows no secret', (_, content, message) => {
    let text = '';
    try {
      read(content);
    } catch (error) {
      text = (error as Error).message;
    }
    expect(text).toContain('providers.json that OIDC_FILE names');
    expect(text).toContain(message);
    expect(text).not.toContain('hidden');
  });

  test('may name an issuer without TLS on this machine', () => {
    expect(read({ providers: [{ ...PROVIDER, issuer: 'http://127.0.0.1:3000' }] }).oidcProviders).toHaveLength(1);
  });

  test('is not read where it cannot be, and takes PUBLIC_URL', () => {
    const missing = { OIDC_FILE: join(folder, 'missing.json'), PUBLIC_URL: 'https://alerts.example.com' };
    expect(() => readConfig(missing)).toThrow('cannot be read');
    expect(() => readConfig({ OIDC_FILE: 'x' })).toThrow('set PUBLIC_URL, too');
  });
});

describe('PASSWORD_SIGN_IN=off', () => {
  test('takes providers and an administrator for the day on which they are away', () => {
    const off = { PASSWORD_SIGN_IN: 'off', BREAK_GLASS_ADMIN: 'Ada@Example.com' };
    expect(read({ providers: [PROVIDER] }, off).passwordOnlyFor).toBe('ada@example.com');
    expect(() => read({ providers: [PROVIDER] }, { PASSWORD_SIGN_IN: 'off' })).toThrow('set BREAK_GLASS_ADMIN, too');
    expect(() => readConfig(off)).toThrow('set OIDC_FILE, too');
    const on = readConfig({ BREAK_GLASS_ADMIN: 'Ada@example.com' });
    expect([on.passwordOnlyFor, on.breakGlass]).toEqual([undefined, 'ada@example.com']);
  });
});

/** What a text quotes. */
const namesIn = (words: string) => [...words.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);

test('a copy for a drill starts with the settings of the server that runs, but for those that the page names', async () => {
  const { text } = await readSection('operations.md', 'Back up and restore');
  const drill = /with the settings of the one that runs, but with (.*?) and without (.*?):/;
  const [, changed = '', left = ''] = drill.exec(text.replaceAll(/\s+/g, ' ')) ?? [];
  const running = {
    PUBLIC_URL: 'https://alerts.example.com',
    PASSWORD_SIGN_IN: 'off',
    BREAK_GLASS_ADMIN: 'ada@example.com',
    SMTP_PORT: '2525',
    SMTP_MAX_MB: '5',
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'a@example.com',
  };
  expect(read({ providers: [PROVIDER] }, running).oidcProviders).toHaveLength(1);
  const settings = Object.entries({ OIDC_FILE: join(folder, 'providers.json'), ...running });
  const kept = settings.filter(([name]) => !namesIn(left).includes(name));
  const copy = readConfig(Object.fromEntries([...kept, ...namesIn(changed).map((one) => one.split('='))]));
  expect(copy).toMatchObject({ isSending: false, mailIn: undefined, oidcProviders: [], passwordOnlyFor: undefined });
});

test.each<[unknown, string | undefined]>([
  [['staff', 'admins'], 'admin'],
  [['staff', 'readers'], 'super_user'],
  ['staff', 'user'],
  ['admins staff', undefined],
  [['Admins'], undefined],
  [{ admins: true }, undefined],
  [undefined, undefined],
])('the claim %j gives the role %s', (groups, role) => {
  const rules = { claim: 'groups', admin: ['admins'], superUser: ['readers'], user: ['staff'] };
  expect(roleOf(rules, { groups })).toBe(role);
});
