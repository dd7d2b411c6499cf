import { ACCOUNT_GUARDS, type Guard } from './account-guards.ts';
import { OIDC_GUARDS } from './oidc-guards.ts';
import { SECOND_STEP_GUARDS } from './second-step-guards.ts';

const DISPATCH = 'backend/http/dispatch.ts';
const POLICY = ['backend/http/policy.server.test.ts'];
const OWNERSHIP = ['backend/http/ownership.server.test.ts'];
const LIVE = ['backend/live/live.server.test.ts', 'backend/http/origin.server.test.ts'];
const SESSIONS = ['backend/sessions/sessions.server.test.ts'];
const SENDERS = ['backend/ingest/senders.server.test.ts', 'backend/ingest/transport.server.test.ts'];
const SIGNATURES = ['backend/sources/signatures/verify-signature.test.ts'];
const SNS = ['backend/sources/signatures/sns-signature.test.ts', 'backend/ingest/sns-subscription.server.test.ts'];
const PUSH_ADDRESS = ['backend/notifications/push/push-address.test.ts'];

/** Guards of access, input and outgoing requests. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'imported alerts whose problem has an alert already',
    file: 'backend/ingest/write-batch.ts',
    code: 'if (delivery.isImport && problem) {',
    without: 'if (delivery.isImport && !problem && !event.dedupKey) {',
    tests: ['backend/ingest/import-alerts.server.test.ts'],
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
    code: 'if (!isAllowedHost(requestHost(ctx))) {',
    without: 'if (requestHost(ctx) === undefined) {',
    tests: ['backend/http/origin.server.test.ts'],
  },
  {
    name: 'hosts and protocols that a client claims',
    file: 'backend/http/origin.ts',
    code: 'if (!proxy) return undefined;',
    without: '',
    tests: ['backend/http/origin.server.test.ts'],
  },
  {
    name: 'live connections from other origins',
    file: 'backend/live/socket-server.ts',
    code: "if (origin && origin !== originOf(ctx)) return answer(false, 403, 'Forbidden');",
    without: '',
    tests: LIVE,
  },
  {
    name: 'live connections under foreign host names',
    file: 'backend/live/socket-server.ts',
    code: "if (!isAllowedHost(ctx)) return answer(false, 421, 'Misdirected Request');",
    without: '',
    tests: LIVE,
  },
  {
    name: 'more live connections of a member than allowed',
    file: 'backend/live/socket-server.ts',
    code: "if (!giveBack) return answer(false, 429, 'Too Many Requests');",
    without: 'if (!giveBack) return (upgraded.set(req, { actor, token }), answer(true));',
    tests: LIVE,
  },
  {
    name: 'frames of clients beyond the limit',
    file: 'backend/live/socket-server.ts',
    code: 'maxPayload: MAX_FRAME_BYTES',
    without: 'maxPayload: 0',
    tests: ['backend/live/bad-clients.server.test.ts'],
  },
  ...ACCOUNT_GUARDS,
  ...SECOND_STEP_GUARDS,
  ...OIDC_GUARDS,
  {
    name: 'changes of a session that ended meanwhile',
    file: 'backend/sessions/on-behalf-of.ts',
    code: 'if (rows.length === 0) throw notSignedIn();',
    without: '',
    tests: ['backend/http/revocation.server.test.ts'],
  },
  {
    name: 'taking the role of the last administrator',
    file: 'backend/accounts/user-commands.ts',
    code: "if (role !== 'admin' && admins.length === 1 && admins[0] === id) throw lastAdmin();",
    without: '',
    tests: ['backend/accounts/user-cli.server.test.ts'],
  },
  {
    name: 'alerts that a member may not know of',
    file: 'backend/alerts/alert-commands.ts',
    code: "if (!canSee(actor, alert)) throw notFound('This alert does not exist any more.');",
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'the status of somebody else’s alert',
    file: 'backend/alerts/alert-commands.ts',
    code: "if (!canChangeStatus(actor, found)) throw notAllowed('Only its owner can change the status of this alert.');",
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'moving somebody else’s alert',
    file: 'backend/alerts/alert-commands.ts',
    code: "if (!canMove(actor, found)) throw notAllowed('Only its owner can move this alert to a folder.');",
    without: '',
    tests: [...OWNERSHIP, 'backend/alerts/alerts.server.test.ts'],
  },
  {
    name: 'deleting an accepted alert as a member',
    file: 'backend/alerts/alert-commands.ts',
    code: "if (!canDelete(actor, found)) throw notAllowed('Only administrators can delete an accepted alert.');",
    without: '',
    tests: OWNERSHIP,
  },
  {
    name: 'somebody else’s notes',
    file: 'backend/notes/note-commands.ts',
    code: 'if (!isAuthor(actor, note)) throw notAllowed(`Only its author can ${verb} this note.`);',
    without: '',
    tests: ['backend/notes/notes.server.test.ts', ...OWNERSHIP],
  },
  {
    name: 'keys that ended',
    file: 'backend/sources/credentials.ts',
    code: 'if (!isLive(secret, now)) {',
    without: 'if (!isLive(secret, 0)) {',
    tests: SENDERS,
  },
  {
    name: 'ways to authenticate that a source has turned off',
    file: 'backend/sources/credentials.ts',
    code: 'return auth[way] ? undefined :',
    without: 'return auth[way] !== null ? undefined :',
    tests: [...SENDERS, 'backend/sources/credentials.test.ts'],
  },
  {
    name: 'a key without the signature that a source requires',
    file: 'backend/sources/check-signature.ts',
    code: "if (!present.includes(scheme)) return 'A key without the signature that this source requires';",
    without: 'if (!present.includes(scheme)) return undefined;',
    tests: SENDERS,
  },
  {
    name: 'wrong signatures',
    file: 'backend/sources/check-signature.ts',
    code: 'return verified.ok ? undefined : verified.reason;',
    without: 'return undefined;',
    tests: SENDERS,
  },
  {
    name: 'old signatures',
    file: 'backend/sources/signatures/verification.ts',
    code: 'if (Math.abs(age) <= TOLERANCE_MS) return undefined;',
    without: 'if (Math.abs(age) >= 0) return undefined;',
    tests: SIGNATURES,
  },
  {
    name: 'addresses that are not those of SNS',
    file: 'backend/sources/sns-client.ts',
    code: "if (!isSnsAddress(address)) throw new Error('the address to confirm is not one of SNS');",
    without: '',
    tests: SNS,
  },
  {
    name: 'host names that look like those of SNS',
    file: 'backend/sources/signatures/sns-address.ts',
    code: 'HOST.test(url.hostname) &&',
    without: '',
    tests: SNS,
  },
  {
    name: 'bodies that inflate to more than the limit',
    file: 'backend/ingest/read-body.ts',
    code: '{ maxOutputLength: maxBytes }',
    without: '{} as never',
    tests: SENDERS,
  },
  {
    name: 'layers of compression beyond two',
    file: 'backend/ingest/read-body.ts',
    code: 'layers.length > MAX_LAYERS || ',
    without: '',
    tests: SENDERS,
  },
  {
    name: 'pushes to addresses of inner networks',
    file: 'backend/notifications/push/push-address.ts',
    code: "if (parsed.range() !== 'unicast') return false;",
    without: '',
    tests: PUSH_ADDRESS,
  },
  {
    name: 'pushes to host names that stand for inner addresses',
    file: 'backend/notifications/push/push-address.ts',
    code: 'if (!addresses.every(isAllowed)) throw new ForbiddenAddressError();',
    without: '',
    tests: [...PUSH_ADDRESS, 'backend/notifications/push/push-trouble.server.test.ts'],
  },
  {
    name: 'secrets of senders in the delivery log',
    file: 'backend/sources/mask-request.ts',
    code: 'SECRET_HEADERS.has(name.toLowerCase()) ? maskCredentials(value) : value',
    without: 'value',
    tests: ['backend/sources/mask-request.test.ts'],
  },
];
