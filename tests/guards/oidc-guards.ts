import type { Guard } from './account-guards.ts';

const SIGN_IN = ['backend/identity/oidc/oidc-sign-in.server.test.ts'];
const ANSWERS = ['backend/identity/oidc/provider-answers.server.test.ts'];
const SESSIONS = ['backend/identity/oidc/oidc-sessions.server.test.ts'];
const LOGOUT = ['backend/identity/oidc/back-channel-logout.server.test.ts'];
const ACCOUNTS = ['backend/identity/oidc/oidc-accounts.server.test.ts'];

/** Guards of signing in at OpenID providers. */
export const OIDC_GUARDS: readonly Guard[] = [
  {
    name: 'a return from a provider in another browser',
    file: 'backend/identity/oidc/sign-in-flow.ts',
    code: 'if (!found || found.boundTo !== hashOf(browser)) throw isOver();',
    without: 'if (!found) throw isOver();',
    tests: SIGN_IN,
  },
  {
    name: 'a return from one provider at the address of another',
    file: 'backend/identity/oidc/sign-in-flow.ts',
    code: 'if (flow.provider !== provider) throw isOver();',
    without: '',
    tests: SIGN_IN,
  },
  {
    name: 'a return from a provider a second time',
    file: 'backend/identity/oidc/sign-in-flow.ts',
    code: 'if (!(await database.transaction((tx) => endCeremony(tx, found)))) throw isOver();\n  return { flow',
    without: 'await database.transaction((tx) => endCeremony(tx, found));\n  return { flow',
    tests: SIGN_IN,
  },
  {
    name: 'a link to the desktop app that another app began',
    file: 'backend/identity/oidc/sign-in-flow.ts',
    code: 'if (!found?.userId || found.boundTo !== challenge) throw isOver();',
    without: 'if (!found?.userId) throw isOver();',
    tests: SIGN_IN,
  },
  {
    name: 'ID tokens that nobody of the provider signed',
    file: 'backend/identity/oidc/providers.ts',
    code: 'oidc.enableNonRepudiationChecks,',
    without: '',
    tests: ANSWERS,
  },
  {
    name: 'e-mails that are not verified',
    file: 'backend/identity/oidc/claims.ts',
    code: 'isEmailVerified: address !== undefined && verified === true,',
    without: 'isEmailVerified: address !== undefined && Boolean(verified),',
    tests: SIGN_IN,
  },
  {
    name: 'a link by e-mail to an account with a second step',
    file: 'backend/identity/oidc/provided-member.ts',
    code: '(await methodsOf(tx, user.id)).length > 0 || ',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'a second identity of one provider by the same e-mail',
    file: 'backend/identity/oidc/provided-member.ts',
    code: ' || (await isLinkedTo(tx, user.id, claims.issuer))',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'a return that links in another session than the one that began it',
    file: 'backend/identity/oidc/own-flow.ts',
    code: ' || sessionIdOf(token) !== owner.sessionId',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'passwords where they are switched off',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: 'const user = found && mayUsePassword(config, found) ? found : null;',
    without: 'const user = found;',
    tests: SESSIONS,
  },
  {
    name: 'passkeys where passwords are switched off',
    file: 'backend/identity/second-step/passkey-sign-in.ts',
    code: 'user?.isActive && mayUsePassword(context.config, user)',
    without: 'user?.isActive',
    tests: SESSIONS,
  },
  {
    name: 'ID tokens of another party with one audience',
    file: 'backend/identity/oidc/providers.ts',
    code: "if (azp !== undefined && azp !== clientId) throw new Error('The ID token was issued to another client.');",
    without: '',
    tests: ANSWERS,
  },
  {
    name: 'ID tokens of the future',
    file: 'backend/identity/oidc/providers.ts',
    code: "if (iat > latest) throw new Error('The ID token was issued in the future.');",
    without: '',
    tests: ANSWERS,
  },
  {
    name: 'sign-ins at a provider in the future',
    file: 'backend/identity/oidc/providers.ts',
    code: 'if (signedInAt !== undefined && signedInAt > latest) throw',
    without: 'if (signedInAt !== undefined && signedInAt < 0) throw',
    tests: ANSWERS,
  },
  {
    name: 'ID tokens as logout tokens',
    file: 'backend/identity/oidc/logout-token.ts',
    code: "if (nonce !== undefined) throw new Error('It has a nonce, as ID tokens do.');",
    without: '',
    tests: LOGOUT,
  },
  {
    name: 'logout tokens of another kind',
    file: 'backend/identity/oidc/logout-token.ts',
    code: "if (typ !== undefined && !/^(?:logout\\+jwt|JWT)$/i.test(typ)) throw new Error('It is a token of another kind.');",
    without: '',
    tests: LOGOUT,
  },
  {
    name: 'logout tokens about something else',
    file: 'backend/identity/oidc/logout-token.ts',
    code: "if (typeof event !== 'object' || event === null) throw new Error('It is not about a sign-out.');",
    without: '',
    tests: LOGOUT,
  },
  {
    name: 'old logout tokens',
    file: 'backend/identity/oidc/logout-token.ts',
    code: 'maxTokenAge: LONGEST_TOKEN_AGE_SECONDS,',
    without: '',
    tests: LOGOUT,
  },
  {
    name: 'a pending second step of a provider that was unlinked',
    file: 'backend/identity/oidc/identity-routes.ts',
    code: 'await endProviderSignIns(tx, user.id);',
    without: 'if (user.id === "") await endProviderSignIns(tx, user.id);',
    tests: SESSIONS,
  },
];
