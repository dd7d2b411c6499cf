/** A guard of the product: code that refuses something. With it removed, one of these tests has to fail. */
export interface Guard {
  /** What it refuses. */
  name: string;
  file: string;
  /** The code, which stands there once, and what stands there without the guard. */
  code: string;
  without: string;
  /** Test files that are to notice, of the server on SQLite or of functions. */
  tests: readonly string[];
}

const SESSIONS = ['backend/identity/sessions/sessions.server.test.ts'];
const USERS = ['backend/identity/accounts/users.server.test.ts'];
const LINKS = ['backend/identity/accounts/links.server.test.ts'];
const MAKERS = ['backend/identity/accounts/link-makers.server.test.ts'];
const OWN_ACCOUNT = ['backend/identity/accounts/own-account.server.test.ts'];

const OWN_DATA = ['backend/transfer/export/own-data.server.test.ts'];

const MENTION_MAILS = ['backend/outgoing/mails/mention-mails.server.test.ts'];
const DIGESTS = ['backend/outgoing/mails/digests.server.test.ts'];
const TOKENS = ['backend/identity/tokens/tokens.server.test.ts'];

/** Guards of sign-in, sessions, accounts and API tokens. */
export const ACCOUNT_GUARDS: readonly Guard[] = [
  {
    name: 'queued mails to disabled members',
    file: 'backend/platform/mail/mail-queue.ts',
    code: "if (mail.userId && address === undefined) return finish('failed', null);",
    without: '',
    tests: MENTION_MAILS,
  },
  {
    name: 'mails of mentions to who has a page open',
    file: 'backend/outgoing/mails/mention-mails.ts',
    code: 'userIds.filter((id) => !online.has(id))',
    without: 'userIds.filter((id) => online.size >= 0 && id)',
    tests: MENTION_MAILS,
  },
  {
    name: 'a second digest of a day',
    file: 'backend/outgoing/mails/digests.ts',
    code: 'if (affected !== 1 || !digest) return;',
    without: 'if (affected === -1 || !digest) return;',
    tests: DIGESTS,
  },
  {
    name: 'API tokens that expired',
    file: 'backend/identity/sessions/api-token.ts',
    code: 'stored.expiresAt <= now()',
    without: 'stored.expiresAt === 7',
    tests: TOKENS,
  },
  {
    name: 'API tokens of a member who has to set up a second step',
    file: 'backend/http/dispatch.ts',
    code: 'if (actor?.mustSetUpSecondStep && actor.tokenScope) {',
    without: 'if (actor?.mustSetUpSecondStep && actor.role === undefined) {',
    tests: TOKENS,
  },
  {
    name: 'API tokens whose scope is not enough',
    file: 'backend/http/dispatch.ts',
    code: 'if (actor?.tokenScope && !allowsScope(actor.tokenScope, tokenScope)) {',
    without: 'if (actor?.tokenScope && actor.role === undefined) {',
    tests: ['backend/http/token-policy.server.test.ts'],
  },
  {
    name: 'too many calls with an API token',
    file: 'backend/http/dispatch.ts',
    code: 'if (actor?.tokenScope) await deps.apiTokens.count(actor.sessionId);',
    without: '',
    tests: TOKENS,
  },
  {
    name: 'API tokens of a member whose sessions all end',
    file: 'backend/identity/sessions/session-store.ts',
    code: "if (keptId === '') await tx.getRepository(ApiTokenEntity).delete({ userId });",
    without: '',
    tests: TOKENS,
  },
  {
    name: 'downloads of own data without a recent proof',
    file: 'backend/transfer/export/own-data-route.ts',
    code: "proof: 'always',",
    without: '',
    tests: OWN_DATA,
  },
  {
    name: 'names of the folders of whoever had an alert before, in the data of who has it',
    file: 'backend/transfer/export/export-lines.ts',
    code: "entry['folder_owner_id'] === userId",
    without: "entry['folder_owner_id'] !== ''",
    tests: OWN_DATA,
  },
  {
    name: 'sessions that ran out',
    file: 'backend/identity/sessions/session-store.ts',
    code: 'if (!session || hasRunOut(session, rules, now())) return undefined;',
    without: 'if (!session) return undefined;',
    tests: SESSIONS,
  },
  {
    name: 'sessions of disabled members',
    file: 'backend/identity/sessions/session-store.ts',
    code: 'if (!user.isActive || !mayHaveBegun(session, user, rules)) return undefined;',
    without: 'if (!mayHaveBegun(session, user, rules)) return undefined;',
    tests: [...SESSIONS, ...USERS],
  },
  {
    name: 'a sign-in that overlaps with a password reset',
    file: 'backend/identity/sessions/session-store.ts',
    code: 'if (!current?.isActive || current.passwordHash !== user.passwordHash) return false;',
    without: 'if (!current) return false;',
    tests: SESSIONS,
  },
  {
    name: 'sign-ins of disabled members',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: 'if (!user || !isRight || !user.isActive) {',
    without: 'if (!user || !isRight) {',
    tests: ['backend/identity/audit/audit.server.test.ts'],
  },
  {
    name: 'too many attempts to sign in',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: 'if (counted.throttled) {',
    without: 'if (counted.throttled && counted.throttled.seconds < 0) {',
    tests: SESSIONS,
  },
  {
    name: 'a change of the own password without the one before',
    file: 'backend/identity/users/password-check.ts',
    code: 'if (!isRight) {',
    without: "if (password === '') {",
    tests: OWN_ACCOUNT,
  },
  {
    name: 'too many wrong passwords of who is signed in',
    file: 'backend/identity/users/password-check.ts',
    code: 'if (counted instanceof RateLimiterRes) continue;',
    without: 'if (counted) continue;',
    tests: OWN_ACCOUNT,
  },
  {
    name: 'a password that was changed since it was confirmed',
    file: 'backend/identity/accounts/own-account.ts',
    code: 'if (found?.passwordHash !== before.passwordHash) throw changedMeanwhile();',
    without: 'if (!found) throw changedMeanwhile();',
    tests: OWN_ACCOUNT,
  },
  {
    name: 'sessions of somebody else',
    file: 'backend/identity/sessions/own-sessions.ts',
    code: '(await sessions.findBy({ userId }))',
    without: '(await sessions.findBy({}))',
    tests: ['backend/identity/sessions/own-sessions.server.test.ts'],
  },
  {
    name: 'a link that was used already',
    file: 'backend/identity/users/account-link.ts',
    code: 'if (affected !== 1) throw invalidLink(',
    without: 'if (affected === 7) throw invalidLink(',
    tests: LINKS,
  },
  {
    name: 'changes of the break-glass administrator in the app',
    file: 'backend/identity/users/break-glass.ts',
    code: 'if (reason !== undefined) throw conflict(reason);',
    without: "if (reason === '') throw conflict(reason);",
    tests: ['backend/identity/users/break-glass.server.test.ts'],
  },
  {
    name: 'links of before somebody was named as the break-glass administrator',
    file: 'backend/identity/accounts/link-commands.ts',
    code: 'config.breakGlass !== undefined && emailKey(email) === config.breakGlass;',
    without: "config.breakGlass !== undefined && email === config.breakGlass && email === '';",
    tests: ['backend/identity/users/break-glass.server.test.ts'],
  },
  {
    name: 'a link whose maker lost the right to make it while it was used',
    file: 'backend/identity/users/account-link.ts',
    code: 'if (makerId !== null && !mayMakeLinks(people.find((one) => one.id === makerId))) {',
    without: 'if (makerId === link.id) {',
    tests: MAKERS,
  },
  {
    name: 'links of who has lost all access',
    file: 'backend/identity/sessions/session-store.ts',
    code: 'await endLinksOf(tx, userId);',
    without: '',
    tests: MAKERS,
  },
  {
    name: 'ending an administrator’s link by asking for another on the sign-in page',
    file: 'backend/identity/accounts/link-commands.ts',
    code: "author ? 'all' : 'asked'",
    without: "author ? 'all' : 'all'",
    tests: ['backend/outgoing/mails/mail.server.test.ts'],
  },
  {
    name: 'a link that ran out',
    file: 'backend/identity/users/account-link.ts',
    code: "if (link.expiresAt <= Date.now()) throw invalidLink(link, 'ran out');",
    without: '',
    tests: LINKS,
  },
  {
    name: 'a reset link of a disabled member',
    file: 'backend/identity/accounts/link-commands.ts',
    code: 'if (!found?.isActive) throw invalidLink(',
    without: 'if (!found) throw invalidLink(',
    tests: LINKS,
  },
  {
    name: 'too many links that are tried from one network',
    file: 'backend/identity/sign-in/link-sign-in.ts',
    code: 'if (counted instanceof RateLimiterRes) return;',
    without: 'if (counted) return;',
    tests: LINKS,
  },
  {
    name: 'mails without TLS to other machines',
    file: 'backend/platform/mail/mail-transport.ts',
    code: 'requireTLS: !isLocal,',
    without: '',
    tests: ['backend/platform/mail/mail-transport.test.ts'],
  },
  {
    name: 'default credentials for other machines',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: 'const found = isLocal && (await findDefaultCredentials(database, secrets, config));',
    without: 'const found = await findDefaultCredentials(database, secrets, config);',
    tests: ['backend/identity/sessions/default-credentials.server.test.ts'],
  },
  {
    name: 'default credentials without the token',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: '!isSameSecret(bearerToken, found.setupToken)',
    without: 'bearerToken === found.setupToken.slice(1)',
    tests: ['backend/identity/sessions/default-credentials.server.test.ts'],
  },
  {
    name: 'enabling a leaver by disabling them twice',
    file: 'backend/identity/accounts/user-commands.ts',
    code: 'const isActive = wanted ?? !found.isActive;',
    without: 'const isActive = wanted === null || !found.isActive;',
    tests: USERS,
  },
  {
    name: 'pushes that were asked for with a copy of the session',
    file: 'backend/identity/accounts/own-account.ts',
    code: 'await removePushesOf(tx, renewed.id, pushEndpoint);',
    without: 'if (renewed.id === "") await removePushesOf(tx, renewed.id, pushEndpoint);',
    tests: OWN_ACCOUNT,
  },
  {
    name: 'links that were made before a change of the password',
    file: 'backend/identity/accounts/own-account.ts',
    code: 'if (endSessions) await endMadeOf(tx, actor.id);',
    without: 'if (endSessions && actor.id === "") await endMadeOf(tx, actor.id);',
    tests: MAKERS,
  },
];
