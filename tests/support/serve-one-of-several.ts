/**
 * A server as `backend/main.ts` starts it, which works beside others on its database. Its lease ends after TEST_LEASE_MS,
 * if that is set: tests of losing one wait less.
 */
import process from 'node:process';
import { main } from '#backend/main.ts';

const leaseMs = process.env['TEST_LEASE_MS'];
await main({ isOneOfSeveral: true, ...(leaseMs !== undefined && { leaseMs: Number(leaseMs) }) });
