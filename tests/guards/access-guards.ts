import type { Guard } from './account-guards.ts';

const WEAK_PASSWORDS = ['backend/identity/accounts/weak-passwords.server.test.ts'];

/** Guards of what passwords may be, how long access lasts, and what administrators do to members' access. */
export const ACCESS_GUARDS: readonly Guard[] = [
  {
    name: 'changes of a session that ended meanwhile',
    file: 'backend/identity/users/on-behalf-of.ts',
    code: 'if (rows.length === 0) throw notSignedIn();',
    without: '',
    tests: ['backend/http/revocation.server.test.ts'],
  },
  {
    name: 'the change of one alert for a session that ended meanwhile',
    file: 'backend/alerts/alert/alert-store.ts',
    code: 'if (raw?.credential === null) throw notSignedIn();',
    without: '',
    tests: ['backend/alerts/commands/lock-alert.server.test.ts'],
  },
  {
    name: 'one’s own role',
    file: 'backend/identity/accounts/change-user.ts',
    code: 'if (hasRole && id === author.id) throw',
    without: "if (hasRole && id === '') throw",
    tests: ['backend/identity/sessions/member-access.server.test.ts'],
  },
  {
    name: 'API tokens of another member than the one that is named',
    file: 'backend/identity/sessions/member-access-routes.ts',
    code: 'tokens.findOneBy({ id, userId: user.id })',
    without: 'tokens.findOneBy({ id })',
    tests: ['backend/identity/sessions/member-access.server.test.ts'],
  },
  {
    name: 'API tokens that would work too long',
    file: 'backend/identity/tokens/token-rule.ts',
    code: 'if (maxDays === null || (expiresInDays !== null && expiresInDays <= maxDays)) return;',
    without: 'if (maxDays === null || (expiresInDays !== null && expiresInDays > 0)) return;',
    tests: ['backend/identity/tokens/token-rule.server.test.ts'],
  },
  {
    name: 'too many mails about one account',
    file: 'backend/identity/users/open-security-mails.ts',
    code: 'if (!isFew) return;',
    without: 'if (!isFew && member.isService) return;',
    tests: ['backend/identity/users/security-mails.server.test.ts'],
  },
  {
    name: 'sessions that are too old',
    file: 'backend/identity/sessions/session-rules.ts',
    code: 'createdAt < now - sessionMaxMs;',
    without: 'createdAt < 0 - sessionMaxMs;',
    tests: ['backend/identity/sessions/own-sessions.server.test.ts'],
  },
  {
    name: 'sessions that were begun by a password where these are off',
    file: 'backend/identity/sessions/end-password-sessions.ts',
    code: 'if (passwordOnlyFor === undefined) return;',
    without: 'if (passwordOnlyFor !== "") return;',
    tests: ['backend/identity/oidc/oidc-sessions.server.test.ts'],
  },
  {
    name: 'a second step that is required meanwhile',
    file: 'backend/identity/sessions/session-rules.ts',
    code: 'mustSetUp ? isRequired || hasSecondStep : !hasSecondStep;',
    without: 'mustSetUp && (isRequired || hasSecondStep);',
    tests: ['backend/identity/second-step/own-second-step.server.test.ts'],
  },
  {
    name: 'lists of who was thrown out while they waited',
    file: 'backend/http/dispatch.ts',
    code: 'if (turn?.hasWaited) {',
    without: 'if (turn && !turn) {',
    tests: ['backend/http/queued-lists.server.test.ts'],
  },
  {
    name: 'passwords that everybody tries',
    file: 'backend/identity/users/password-rules.ts',
    code: 'if (isCommon(password)) return',
    without: 'if (!isCommon(password) && password === "") return',
    tests: WEAK_PASSWORDS,
  },
  {
    name: 'passwords that are made of the account',
    file: 'backend/identity/users/password-rules.ts',
    code: 'return left.length < letters.length && left.length < LETTERS_LEFT;',
    without: 'return left.length < letters.length && left.length < 0;',
    tests: WEAK_PASSWORDS,
  },
  {
    name: 'guesses of a known device in a day',
    file: 'backend/identity/users/sign-in-throttle.ts',
    code: 'for (const one of [devices, deviceDays]) {',
    without: 'for (const one of [devices]) {',
    tests: ['backend/identity/users/sign-in-throttle.test.ts'],
  },
  {
    name: 'marking somebody else’s notices',
    file: 'backend/alerts/notices/notice.ts',
    code: '{ ...which, userId, readAt: ',
    without: '{ ...which, readAt: ',
    tests: ['backend/alerts/notices/notices.server.test.ts'],
  },
];
