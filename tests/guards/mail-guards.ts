import type { Guard } from './account-guards.ts';

const RECEIVED = ['backend/intake/mail/received-mails.server.test.ts'];
const LIMITS = ['backend/intake/mail/mail-limits.server.test.ts'];

/** Guards of emails that are received. */
export const MAIL_GUARDS: readonly Guard[] = [
  {
    name: 'emails to addresses at another domain',
    file: 'backend/intake/mail/mail-recipients.ts',
    code: 'address.slice(at + 1).toLowerCase() !== domain || ',
    without: '',
    tests: RECEIVED,
  },
  {
    name: 'emails to sources whose requests must be signed',
    file: 'backend/intake/mail/mail-recipients.ts',
    code: 'if (found.source.settings.auth.signature !== null) {',
    without: 'if (found.source.settings.auth.signature === undefined) {',
    tests: LIMITS,
  },
  {
    name: 'addresses of other sources in the alerts of emails',
    file: 'backend/intake/mail/take-mail.ts',
    code: '[...new Set([own, ...(text.match(pattern) ?? [])])]',
    without: '[own].filter(() => pattern)',
    tests: RECEIVED,
  },
  {
    name: 'more connections of a network than allowed',
    file: 'backend/intake/mail/mail-listener.ts',
    code: 'others >= MAX_OF_NETWORK',
    without: 'others >= 10 * MAX_OF_NETWORK',
    tests: LIMITS,
  },
];
