import type { Guard } from './account-guards.ts';

const HOW_MANY = ['backend/http/how-many.server.test.ts'];
const ANSWER_LIMITS = ['backend/http/answer-limits.test.ts'];
const HTTP = ['backend/http/http.server.test.ts'];

/** Guards of how much one member, sender or installation may have, of what senders sign, and of headers. */
export const LIMIT_GUARDS: readonly Guard[] = [
  {
    name: 'more folders of a member than allowed',
    file: 'backend/alerts/folders/folder-commands.ts',
    code: 'if (folders.length >= MAX_FOLDERS) throw',
    without: 'if (folders.length < 0) throw',
    tests: HOW_MANY,
  },
  {
    name: 'folders that stand too deep',
    file: 'backend/alerts/folders/folder-commands.ts',
    code: 'if (depth > MAX_FOLDER_DEPTH) {',
    without: 'if (depth < 0) {',
    tests: HOW_MANY,
  },
  {
    name: 'more sources than allowed',
    file: 'backend/intake/sources/source-entity.ts',
    code: 'if ((await tx.getRepository(SourceEntity).count()) - leaving < MAX_SOURCES) return;',
    without: 'if ((await tx.getRepository(SourceEntity).count()) >= 0) return;',
    tests: HOW_MANY,
  },
  {
    name: 'more open invitations than allowed',
    file: 'backend/identity/accounts/link-commands.ts',
    code: 'countBy(open)) < MAX_INVITATIONS) return;',
    without: 'countBy(open)) >= 0) return;',
    tests: HOW_MANY,
  },
  {
    name: 'more lists of a member at once than allowed',
    file: 'backend/http/answer-limits.ts',
    code: 'activeOf(memberId) < limits.perMember',
    without: 'activeOf(memberId) < Infinity',
    tests: ANSWER_LIMITS,
  },
  {
    name: 'lists that slow readers leave in memory',
    file: 'backend/http/answer-limits.ts',
    code: 'heldBytes < limits.heldBytes',
    without: 'heldBytes < Infinity',
    tests: ANSWER_LIMITS,
  },
  {
    name: 'more lists of a member in the queue than allowed',
    file: 'backend/http/answer-limits.ts',
    code: 'pending.memberId === memberId).length >= limits.queuedPerMember',
    without: 'pending.memberId === memberId).length < 0',
    tests: ANSWER_LIMITS,
  },
  {
    name: 'a captured signed request under another id',
    file: 'backend/intake/webhooks/deliver.ts',
    code: 'isLast && request.signedHash ?',
    without: 'isLast && request.signedHash === "" ?',
    tests: ['backend/intake/webhooks/senders.server.test.ts'],
  },
  {
    name: 'secrets of Standard Webhooks that are next to nothing',
    file: 'backend/intake/signatures/hmac-schemes.ts',
    code: 'isBase64 && key.length >= SHORTEST_STANDARD_KEY',
    without: 'isBase64 || key.length >= SHORTEST_STANDARD_KEY',
    tests: ['backend/intake/signatures/verify-signature.test.ts'],
  },
  {
    name: 'sealing under a key that was changed meanwhile',
    file: 'backend/platform/secrets/keyring.ts',
    code: "if (!current) throw unavailable('The key of the secrets was changed",
    without: "if (!current && keys.length === 0) throw unavailable('The key of the secrets was changed",
    tests: ['backend/server/rotation.server.test.ts'],
  },
  {
    name: 'a wrong key of the secrets',
    file: 'backend/platform/secrets/keyring.ts',
    code: 'if (!found) throw wrongKey(config, check);',
    without: '',
    tests: ['backend/server/rotation.server.test.ts'],
  },
  {
    name: 'names of members in the keys of Redis',
    file: 'backend/platform/cluster/sign-messages.ts',
    code: "return (limiter, key) => createHmac('sha256', secret).update(`${limiter}\\n${key}`)",
    without:
      "return (limiter, key) => (secret ? { digest: (_: string) => `${limiter} ${key}` } : createHmac('sha256', secret))",
    tests: ['backend/platform/cluster/cluster.test.ts'],
  },
  {
    name: 'messages from Redis that are signed long ago',
    file: 'backend/platform/cluster/sign-messages.ts',
    code: "if (Math.abs(now() - Number(at)) > TAKEN_FOR_MS) return { dropped: 'late' };",
    without: '',
    tests: ['backend/platform/cluster/cluster.test.ts'],
  },
  {
    name: 'answers that browsers sniff',
    file: 'backend/http/security-headers.ts',
    code: "'X-Content-Type-Options': 'nosniff',",
    without: '',
    tests: HTTP,
  },
  {
    name: 'addresses of pages in requests to others',
    file: 'backend/http/security-headers.ts',
    code: "referrerPolicy: { policy: 'same-origin' },",
    without: 'referrerPolicy: false,',
    tests: HTTP,
  },
  {
    name: 'answers of the API in caches',
    file: 'backend/http/dispatch.ts',
    code: "ctx.set({ 'Cache-Control': 'no-store', ...reply.headers });",
    without: 'ctx.set({ ...reply.headers });',
    tests: HTTP,
  },
  {
    name: 'what browsers keep after a sign-out',
    file: 'backend/identity/sign-in/session-routes.ts',
    code: 'headers: CLEAR }',
    without: 'headers: {} }',
    tests: ['backend/identity/sessions/sessions.server.test.ts'],
  },
];
