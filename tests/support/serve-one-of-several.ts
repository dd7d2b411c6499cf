/**
 * A server as `backend/main.ts` starts it, which works beside others on its database, where that is one of its own. Its lease
 * ends after TEST_LEASE_MS, if that is set: tests of losing one wait less. With TEST_PATIENT it waits for its database for as
 * long as it takes: files that run side by side share one, which a busy machine may stop for seconds. TEST_PUSH_CA is the certificate of a push service on
 * this machine, whose messages are not grouped.
 */
import process from 'node:process';
import { main } from '#backend/main.ts';

const leaseMs = process.env['TEST_LEASE_MS'];
const ca = process.env['TEST_PUSH_CA'];
await main({
  ...(process.env['DATABASE_URL'] !== undefined && { isOneOfSeveral: true }),
  ...(process.env['TEST_PATIENT'] === '1' && { isDatabasePatient: true }),
  ...(leaseMs !== undefined && { leaseMs: Number(leaseMs) }),
  ...(ca !== undefined && {
    push: {
      ca,
      isAllowedAddress: (address: string) => address === '127.0.0.1',
      resolve: async () => ['127.0.0.1'],
      limits: { oneByOne: Number.MAX_SAFE_INTEGER },
    },
  }),
});
