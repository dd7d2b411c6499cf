import type { Guard } from './account-guards.ts';

const FOLDER = 'backend/oidc';
const SIGN_IN = [`${FOLDER}/oidc-sign-in.server.test.ts`];
const ANSWERS = [`${FOLDER}/provider-answers.server.test.ts`];
const SESSIONS = [`${FOLDER}/oidc-sessions.server.test.ts`];
const ACCOUNTS = [`${FOLDER}/oidc-accounts.server.test.ts`];

/** Guards of signing in at OpenID providers. */
export const OIDC_GUARDS: readonly Guard[] = [
  {
    name: 'a return from a provider in another browser',
    file: `${FOLDER}/sign-in-flow.ts`,
    code: 'if (!found || found.boundTo !== hashOf(browser)) throw isOver();',
    without: 'if (!found) throw isOver();',
    tests: SIGN_IN,
  },
  {
    name: 'a return from one provider at the address of another',
    file: `${FOLDER}/sign-in-flow.ts`,
    code: 'if (flow.provider !== provider) throw isOver();',
    without: '',
    tests: SIGN_IN,
  },
  {
    name: 'a return from a provider a second time',
    file: `${FOLDER}/sign-in-flow.ts`,
    code: 'if (!(await database.transaction((tx) => endCeremony(tx, found)))) throw isOver();\n  return { flow',
    without: 'await database.transaction((tx) => endCeremony(tx, found));\n  return { flow',
    tests: SIGN_IN,
  },
  {
    name: 'a link to the desktop app that another app began',
    file: `${FOLDER}/sign-in-flow.ts`,
    code: 'if (!found?.userId || found.boundTo !== challenge) throw isOver();',
    without: 'if (!found?.userId) throw isOver();',
    tests: SIGN_IN,
  },
  {
    name: 'ID tokens that nobody of the provider signed',
    file: `${FOLDER}/providers.ts`,
    code: 'oidc.enableNonRepudiationChecks,',
    without: '',
    tests: ANSWERS,
  },
  {
    name: 'e-mails that are not verified',
    file: `${FOLDER}/claims.ts`,
    code: 'isEmailVerified: address !== undefined && verified === true,',
    without: 'isEmailVerified: address !== undefined && Boolean(verified),',
    tests: SIGN_IN,
  },
  {
    name: 'a link by e-mail to an account with a second step',
    file: `${FOLDER}/provided-member.ts`,
    code: '(await methodsOf(tx, user.id)).length > 0 || ',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'a second identity of one provider by the same e-mail',
    file: `${FOLDER}/provided-member.ts`,
    code: ' || (await isLinkedTo(tx, user.id, claims.issuer))',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'a return that links in another session than the one that began it',
    file: `${FOLDER}/own-flow.ts`,
    code: ' || sessionIdOf(token) !== sessionId',
    without: '',
    tests: ACCOUNTS,
  },
  {
    name: 'passwords where they are switched off',
    file: 'backend/sessions/session-routes.ts',
    code: 'const user = found && mayUsePassword(config, found) ? found : null;',
    without: 'const user = found;',
    tests: SESSIONS,
  },
  {
    name: 'passkeys where passwords are switched off',
    file: 'backend/second-step/passkey-sign-in.ts',
    code: 'user?.isActive && mayUsePassword(context.config, user)',
    without: 'user?.isActive',
    tests: SESSIONS,
  },
];
