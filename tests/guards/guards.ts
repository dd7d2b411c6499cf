import { ACCESS_GUARDS } from './access-guards.ts';
import { ACCOUNT_GUARDS, type Guard } from './account-guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';
import { MAIL_GUARDS } from './mail-guards.ts';
import { OIDC_GUARDS } from './oidc-guards.ts';
import { SECOND_STEP_GUARDS } from './second-step-guards.ts';

const DISPATCH = 'backend/http/dispatch.ts';
const POLICY = ['backend/http/policy.server.test.ts'];
const OWNERSHIP = ['backend/http/ownership.server.test.ts'];
const LIVE = ['backend/platform/live/live.server.test.ts', 'backend/http/origin.server.test.ts'];
const SESSIONS = ['backend/identity/sessions/sessions.server.test.ts'];
const SENDERS = ['backend/intake/webhooks/senders.server.test.ts', 'backend/intake/webhooks/transport.server.test.ts'];
const SIGNATURES = ['backend/intake/signatures/verify-signature.test.ts'];
const SNS = [
  'backend/intake/signatures/sns-signature.test.ts',
  'backend/intake/webhooks/sns-subscription.server.test.ts',
];
const PUSH_ADDRESS = ['backend/platform/requests/guarded-request.test.ts'];

/** Guards of access, input and outgoing requests. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'imported alerts whose problem has an alert already',
    file: 'backend/intake/write/write-batch.ts',
    code: 'if (delivery.isImport && problem) {',
    without: 'if (delivery.isImport && !problem && !event.dedupKey) {',
    tests: ['backend/transfer/import/import-alerts.server.test.ts'],
  },
  {
    name: 'imported links that are no web address',
    file: 'backend/transfer/import/import-alerts.ts',
    code: "httpLink(alert.link?.trim() ?? '') ?? IMPORT_PATH",
    without: 'alert.link || IMPORT_PATH',
    tests: ['backend/transfer/import/import-alerts.server.test.ts'],
  },
  {
    name: 'tokens of wrong addresses in the log',
    file: 'backend/http/log-requests.ts',
    code: 'maskSegments(ctx.path)',
    without: 'ctx.path',
    tests: ['backend/platform/logger/logger.server.test.ts'],
  },
  {
    name: 'reports of violations without end',
    file: 'backend/http/violation-reports.ts',
    code: 'if (window.lines > MAX_LINES) window.leftOut += 1;',
    without: 'if (window.lines > 1e9) window.leftOut += 1;',
    tests: ['backend/http/violation-reports.test.ts'],
  },
  {
    name: 'calls without a session',
    file: DISPATCH,
    code: 'if (!found || token === undefined) throw notSignedIn();',
    without: "if (!found || token === undefined) return { id: '', role: 'admin', sessionId: '' } as never;",
    tests: POLICY,
  },
  {
    name: 'calls of another role',
    file: DISPATCH,
    code: 'if (actor && Array.isArray(access) && !access.includes(actor.role)) throw notAllowed();',
    without: '',
    tests: POLICY,
  },
  {
    name: 'changes without the CSRF token',
    file: DISPATCH,
    code: 'requireCsrfToken(ctx, csrfTokenOf(deps.sessionSecret, actor.sessionId));',
    without: ';',
    tests: POLICY,
  },
  {
    name: 'changes from other sites',
    file: DISPATCH,
    code: "if (endpoint.method !== 'GET') refuseForeignSites(ctx);",
    without: '',
    tests: SESSIONS,
  },
  {
    name: 'bodies beyond the limit of the API',
    file: DISPATCH,
    code: 'endpoint.maxBodyBytes ?? MAX_BODY_BYTES',
    without: 'Number.MAX_SAFE_INTEGER',
    tests: ['backend/http/http.server.test.ts'],
  },
  {
    name: 'foreign host names',
    file: 'backend/http/origin.ts',
    code: 'if (!isAllowedHost(ctx.req)) throw foreignHost();',
    without: '',
    tests: ['backend/http/origin.server.test.ts'],
  },
  {
    name: 'hosts and protocols that a client claims',
    file: 'backend/http/origin.ts',
    code: 'if (proxies === 0) return undefined;',
    without: '',
    tests: ['backend/http/origin.server.test.ts'],
  },
  {
    name: 'live connections from other origins',
    file: 'backend/platform/live/socket-server.ts',
    code: 'if (origin && origin !== originOf(ctx)) return refuse(403);',
    without: '',
    tests: LIVE,
  },
  {
    name: 'live connections under foreign host names',
    file: 'backend/platform/live/socket-server.ts',
    code: 'if (!isAllowedHost(ctx)) return refuse(421);',
    without: '',
    tests: LIVE,
  },
  {
    name: 'more live connections of a member than allowed',
    file: 'backend/platform/live/socket-server.ts',
    code: 'if (!giveBack) return refuse(429, RETRY_LATER);',
    without: 'if (!giveBack) return (upgraded.set(req, { actor, token }), answer(true));',
    tests: LIVE,
  },
  {
    name: 'frames of clients beyond the limit',
    file: 'backend/platform/live/socket-server.ts',
    code: 'maxPayload: MAX_FRAME_BYTES',
    without: 'maxPayload: 0',
    tests: ['backend/platform/live/bad-clients.server.test.ts'],
  },
  ...ACCOUNT_GUARDS,
  ...ACCESS_GUARDS,
  ...SECOND_STEP_GUARDS,
  ...OIDC_GUARDS,
  ...LIMIT_GUARDS,
  ...MAIL_GUARDS,
  {
    name: 'taking the role of the last administrator',
    file: 'backend/identity/accounts/user-commands.ts',
    code: "if (role !== 'admin' && admins.length === 1 && admins[0] === id) throw lastAdmin();",
    without: '',
    tests: ['backend/identity/accounts/user-cli.server.test.ts'],
  },
  {
    name: 'alerts that a member may not know of',
    file: 'backend/alerts/commands/alert-commands.ts',
    code: 'if (!isSeen && !rule.isOpenlyTaken) return gone();',
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'the status of somebody else’s alert',
    file: 'backend/alerts/commands/rules/status.ts',
    code: "if (alert.ownerId !== actor.id) return seesEverything(actor) ? 'not_allowed' : whyNotTheirs(alert);",
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'moving somebody else’s alert',
    file: 'backend/alerts/commands/rules/move.ts',
    code: 'if (!isPending && alert.ownerId !== actor.id) return whyNotTheirs(alert);',
    without: '',
    tests: [...OWNERSHIP, 'backend/alerts/commands/alerts.server.test.ts'],
  },
  {
    name: 'deleting an accepted alert as a member',
    file: 'backend/alerts/commands/rules/remove.ts',
    code: "if (!canDelete(actor, alert)) return isMine ? 'not_allowed' : whyNotTheirs(alert);",
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'somebody else’s notes',
    file: 'backend/alerts/notes/note-commands.ts',
    code: 'if (!isAuthor(actor, note)) throw notAllowed(`Only its author can ${verb} this note.`);',
    without: '',
    tests: ['backend/alerts/notes/notes.server.test.ts', ...OWNERSHIP],
  },
  {
    name: 'keys that ended',
    file: 'backend/intake/sources/credentials.ts',
    code: 'if (!isLive(secret, now)) {',
    without: 'if (!isLive(secret, 0)) {',
    tests: SENDERS,
  },
  {
    name: 'ways to authenticate that a source has turned off',
    file: 'backend/intake/sources/credentials.ts',
    code: 'return auth[way] ? undefined :',
    without: 'return auth[way] !== null ? undefined :',
    tests: [...SENDERS, 'backend/intake/sources/credentials.test.ts'],
  },
  {
    name: 'a key without the signature that a source requires',
    file: 'backend/intake/sources/check-signature.ts',
    code: "if (!present.includes(scheme)) return { reason: 'A key without the signature that this source requires' };",
    without: 'if (!present.includes(scheme)) return UNSIGNED;',
    tests: SENDERS,
  },
  {
    name: 'wrong signatures',
    file: 'backend/intake/sources/check-signature.ts',
    code: 'if (verified.ok) return { signedHash: verified.signedHash };',
    without: 'return UNSIGNED;',
    tests: SENDERS,
  },
  {
    name: 'old signatures',
    file: 'backend/intake/signatures/verification.ts',
    code: 'if (Math.abs(age) <= TOLERANCE_MS) return undefined;',
    without: 'if (Math.abs(age) >= 0) return undefined;',
    tests: SIGNATURES,
  },
  {
    name: 'addresses that are not those of SNS',
    file: 'backend/intake/sources/sns-client.ts',
    code: "if (!isSnsAddress(address)) throw new Error('the address to confirm is not one of SNS');",
    without: '',
    tests: SNS,
  },
  {
    name: 'host names that look like those of SNS',
    file: 'backend/intake/signatures/sns-address.ts',
    code: 'HOST.test(url.hostname) &&',
    without: '',
    tests: SNS,
  },
  {
    name: 'bodies that inflate to more than the limit',
    file: 'backend/platform/endpoint/read-body.ts',
    code: '{ maxOutputLength: maxBytes }',
    without: '{} as never',
    tests: SENDERS,
  },
  {
    name: 'one compression in another',
    file: 'backend/platform/endpoint/read-body.ts',
    code: 'more.length > 0 || ',
    without: '',
    tests: SENDERS,
  },
  {
    name: 'pushes to addresses of inner networks',
    file: 'backend/platform/requests/guarded-request.ts',
    code: "if (parsed.range() !== 'unicast') return false;",
    without: '',
    tests: PUSH_ADDRESS,
  },
  {
    name: 'pushes to host names that stand for inner addresses',
    file: 'backend/platform/requests/guarded-request.ts',
    code: 'if (!addresses.every(isAllowed)) throw new ForbiddenAddressError();',
    without: '',
    tests: [...PUSH_ADDRESS, 'backend/outgoing/push/push-trouble.server.test.ts'],
  },
  {
    name: 'forged messages from Redis',
    file: 'backend/platform/cluster/sign-messages.ts',
    code: "if (!isRight || server === undefined) return { dropped: 'forged' };",
    without: '',
    tests: ['backend/platform/cluster/cluster.test.ts'],
  },
  {
    name: 'messages from Redis that come again',
    file: 'backend/platform/cluster/sign-messages.ts',
    code: "if (Number(ofMessage) <= (lastOf.get(server)?.number ?? 0)) return { dropped: 'replayed' };",
    without: '',
    tests: ['backend/platform/cluster/cluster.test.ts'],
  },
  {
    name: 'secrets in members of bodies that adapters name',
    file: 'backend/intake/reading/read-delivery.ts',
    code: 'adapters[recognition.sender].secretNames ?? NO_NAMES',
    without: 'NO_NAMES',
    tests: ['backend/intake/reading/samples.test.ts'],
  },
  {
    name: 'credentials in bodies',
    file: 'backend/intake/delivery-log/mask-request.ts',
    code: "maskIn(maskMembers(text, headers['content-type'] ?? '', names), secrets)",
    without: 'text',
    tests: ['backend/intake/webhooks/canaries.server.test.ts'],
  },
  {
    name: 'secrets of senders in the delivery log',
    file: 'backend/intake/delivery-log/mask-request.ts',
    code: 'isSecretName(name) || isToken(value) ? maskCredentials(value) : maskIn(value, secrets)',
    without: 'maskIn(value, secrets)',
    tests: ['backend/intake/delivery-log/mask-request.test.ts'],
  },
  {
    name: 'what strangers have this server inflate and parse',
    file: 'backend/intake/webhooks/stranger-budget.ts',
    code: 'if (spent + bytes > each || total + bytes > all) {',
    without: 'if (spent + bytes < 0) {',
    tests: ['backend/intake/webhooks/strangers.server.test.ts'],
  },
];
