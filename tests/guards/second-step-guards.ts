import type { Guard } from './account-guards.ts';

const SIGN_IN = ['backend/identity/second-step/second-step-sign-in.server.test.ts'];
const PROOFS = ['backend/http/proof-policy.server.test.ts'];
const OWN = ['backend/identity/second-step/own-second-step.server.test.ts'];
const PASSKEYS = [
  'backend/identity/factors/passkeys.server.test.ts',
  'backend/identity/second-step/passkey-second-step.server.test.ts',
];
const REMEMBERED = ['backend/identity/factors/remembered-browsers.server.test.ts'];

/** Guards of second steps and passkeys. */
export const SECOND_STEP_GUARDS: readonly Guard[] = [
  {
    name: 'what decides who gets in, without a recent proof',
    file: 'backend/http/dispatch.ts',
    code: 'if (!isProved(actor)) throw notAllowed(PROOF_DUE);',
    without: '',
    tests: PROOFS,
  },
  {
    name: 'what its input makes a call of proof, without one',
    file: 'backend/http/dispatch.ts',
    code: 'requireProof(endpoint, current, { params, query, body });',
    without: '',
    tests: PROOFS,
  },
  {
    name: 'API tokens where the input asks for a proof',
    file: 'backend/http/dispatch.ts',
    code: 'if (actor.tokenScope) throw notAllowed(TAKES_A_PERSON);',
    without: 'if (actor.tokenScope) return;',
    tests: ['backend/http/token-policy.server.test.ts'],
  },
  {
    name: 'everything else before a second step is set up',
    file: 'backend/http/dispatch.ts',
    code: "if (actor?.mustSetUpSecondStep && !isForSetUp) throw notAllowed('Set up two-step sign-in first.');",
    without: '',
    tests: OWN,
  },
  {
    name: 'live connections before a second step is set up',
    file: 'backend/platform/live/socket-server.ts',
    code: 'if (!actor || actor.mustSetUpSecondStep)',
    without: 'if (!actor)',
    tests: OWN,
  },
  {
    name: 'a code of the app a second time',
    file: 'backend/identity/factors/totp.ts',
    code: '{ userId, lastStep: LessThan(step) }',
    without: '{ userId }',
    tests: SIGN_IN,
  },
  {
    name: 'a recovery code a second time',
    file: 'backend/identity/factors/recovery-codes.ts',
    code: 'codeHash: recoveryCodeHash(userId, code), usedAt: IsNull() },',
    without: 'codeHash: recoveryCodeHash(userId, code) },',
    tests: SIGN_IN,
  },
  {
    name: 'a second session of one pending sign-in',
    file: 'backend/identity/second-step/sign-in-routes.ts',
    code: 'if (!(await endCeremony(tx, pending))) throw isOver();',
    without: 'await endCeremony(tx, pending);',
    tests: SIGN_IN,
  },
  {
    name: 'a pending sign-in with another password',
    file: 'backend/identity/second-step/sign-in-routes.ts',
    code: ' || passwordMarkOf(user) !== pending.data',
    without: '',
    tests: SIGN_IN,
  },
  {
    name: 'a ceremony that ran out',
    file: 'backend/identity/factors/ceremonies.ts',
    code: 'found && found.expiresAt >= now && found.expiresAt <= now + LIFETIME_MS[kind]',
    without: 'found',
    tests: SIGN_IN,
  },
  {
    name: 'a ceremony of somebody else',
    file: 'backend/identity/factors/ceremonies.ts',
    code: 'if (!found || found.userId !== holder.userId || found.boundTo !== holder.boundTo) return undefined;',
    without: 'if (!found) return undefined;',
    tests: PASSKEYS,
  },
  {
    name: 'a challenge a second time',
    file: 'backend/identity/factors/ceremonies.ts',
    code: '(await database.transaction((tx) => endCeremony(tx, found))) ? found : undefined',
    without: 'found',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey of a copied authenticator',
    file: 'backend/identity/factors/passkeys.ts',
    code: "signCount <= current.signCount) return 'passkey_counter_regressed';",
    without: 'signCount <= current.signCount) { /* let in */ }',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey of another member as the second step',
    file: 'backend/identity/factors/check-second-step.ts',
    code: ' || passkey.userId !== userId',
    without: '',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey that was asked for by another site’s frame',
    file: 'backend/identity/factors/passkeys.ts',
    code: 'return data?.isCrossOrigin ? undefined : data?.challenge;',
    without: 'return data?.challenge;',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey alone that does not verify who uses it',
    file: 'backend/identity/factors/passkeys.ts',
    code: 'requireUserVerification: isVerified,',
    without: 'requireUserVerification: false,',
    tests: PASSKEYS,
  },
  {
    name: 'a remembered browser with another password',
    file: 'backend/identity/factors/remembered-browsers.ts',
    code: '  passwordChangedAt: passwordChangedAt ?? IsNull(),',
    without: '',
    tests: REMEMBERED,
  },
  {
    name: 'removing the last second step that is required',
    file: 'backend/identity/second-step/change-own.ts',
    code: 'if (isRequiredOf(await readRule(tx), user)) {',
    without: 'if (isRequiredOf(await readRule(tx), user) && user.id === undefined) {',
    tests: OWN,
  },
  {
    name: 'a sign-in that overtakes the set-up of a second step',
    file: 'backend/identity/second-step/after-password.ts',
    code: ' && (await methodsOf(tx, user.id)).length === 0,',
    without: ',',
    tests: SIGN_IN,
  },
  {
    name: 'a proof with a copy of the session',
    file: 'backend/identity/second-step/proof-routes.ts',
    code: 'const renewed = await renewSession(tx, author.sessionId);',
    without: "const renewed = { token: '', id: author.sessionId };",
    tests: OWN,
  },
  {
    name: 'second steps of services',
    file: 'backend/identity/accounts/user-commands.ts',
    code: 'if (found.isService) throw serviceAccount();\n    await removeSecondSteps(tx, id);',
    without: 'await removeSecondSteps(tx, id);',
    tests: OWN,
  },
];
