import { readRule } from '#backend/identity/factors/second-steps.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import type { User } from '#backend/identity/users/user.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { type SessionRules, activeOf, hasRunOut, mayHaveBegun, owesSecondStep } from './session-rules.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-01-15T12:00:00Z');
const COMPANY = { secondStep: false, id: 'company' };
const CLUB = { secondStep: true, id: 'club' };
const RULES: SessionRules = {
  sessionMaxMs: 30 * DAY,
  passwordOnlyFor: undefined,
  breakGlass: undefined,
  oidcProviders: [COMPANY, CLUB] as SessionRules['oidcProviders'],
};

describe('a session runs out', () => {
  test.each([
    ['not on the seventh day without use', { createdAt: NOW - 7 * DAY, lastSeenAt: NOW - 7 * DAY }, false],
    ['after seven days without use', { createdAt: NOW - 8 * DAY, lastSeenAt: NOW - 7 * DAY - 1 }, true],
    ['not at its longest life', { createdAt: NOW - 30 * DAY, lastSeenAt: NOW }, false],
    ['beyond its longest life, however much it is used', { createdAt: NOW - 30 * DAY - 1, lastSeenAt: NOW }, true],
  ])('%s', (_, times, isOver) => {
    expect(hasRunOut(times, RULES, NOW)).toBe(isOver);
  });
});

test.each([
  ['by password', null, undefined, true],
  ['by password, which one administrator alone may use', null, 'boss@example.com', false],
  ['by the password of that administrator', null, 'anna@example.com', true],
  ['by a provider, where passwords are switched off', 'company', 'boss@example.com', true],
])('a session that was begun %s', (_, provider, passwordOnlyFor, isOpen) => {
  expect(mayHaveBegun({ provider }, { emailKey: 'anna@example.com' }, { ...RULES, passwordOnlyFor })).toBe(isOpen);
});

test.each([
  ['by a provider', 'company', false],
  ['by password', null, true],
])('a session of the break-glass administrator that was begun %s', (_, provider, isOpen) => {
  const breakGlass = 'anna@example.com';
  expect(mayHaveBegun({ provider }, { emailKey: breakGlass }, { ...RULES, breakGlass })).toBe(isOpen);
});

describe('a member has to set up a second step', () => {
  let server: TestServer;
  let anna: User;
  let ben: User;
  beforeAll(async () => {
    server = await startTestServer();
    anna = await server.addUser();
    ben = await server.addUser();
    const asBen = server.anonymous();
    await asBen.signIn(ben.email, 'correct horse');
    await addTotp(server, asBen);
    await server.database.transaction((tx) => writeRule(tx, { requiredFor: 'everybody' }));
  });
  afterAll(() => server.destroy());

  const owing = async (user: User, provider: string | null, mustSetUp = false) => {
    const session = { id: newId(), createdAt: NOW, lastSeenAt: NOW, provider, mustSetUp };
    const owes = await owesSecondStep(
      server.database.reads,
      await readRule(server.database.reads),
      session,
      user,
      RULES,
    );
    const open = await activeOf(server.database.reads, [{ session, user }], RULES, NOW);
    return { owes, isOpen: open.has(session.id) };
  };

  test.each([
    ['after a password', null, true],
    ['after a provider that asks for a password alone', 'club', true],
    ['after a provider that is gone', 'gone', true],
    ['not after one that has asked for everything', 'company', false],
  ])('%s, and their page receives nothing before', async (_, provider, owes) => {
    expect(await owing(anna, provider)).toEqual({ owes, isOpen: !owes });
  });

  test('where their session says so, whichever provider it is of', async () => {
    expect(await owing(anna, 'company', true)).toEqual({ owes: true, isOpen: false });
    expect(await owing(ben, null, true)).toEqual({ owes: true, isOpen: false });
  });

  test('no more when the rule is withdrawn, also where their session says so; a second step of theirs is asked for', async () => {
    const { database } = server;
    await database.transaction((tx) => writeRule(tx, { requiredFor: 'administrators' }));
    try {
      expect(await owing(anna, null, true)).toEqual({ owes: false, isOpen: true });
      expect(await owing(ben, null, true)).toEqual({ owes: true, isOpen: false });
    } finally {
      await database.transaction((tx) => writeRule(tx, { requiredFor: 'everybody' }));
    }
  });

  test('no more when they have one', async () => {
    expect(await owing(ben, null)).toEqual({ owes: false, isOpen: true });
  });
});
