import { expect, test } from 'vitest';
import { pushTestResultSchema } from '#backend/contract/push.ts';
import { ForbiddenAddressError } from '#backend/platform/requests/guarded-request.ts';
import { testResultOf } from './test-message.ts';

const answer = (status: number) => ({ answer: { status, retryAfter: undefined } });
const aborted = new Error('The operation was aborted', { cause: new DOMException('too long', 'TimeoutError') });

test.each([
  ['201', answer(201), 'sent', 'took the message'],
  ['404', answer(404), 'gone', 'was removed here'],
  ['410', answer(410), 'gone', 'was removed here'],
  ['403', answer(403), 'refused', 'with status 403'],
  ['429', answer(429), 'refused', 'with status 429'],
  ['503', answer(503), 'refused', 'with status 503'],
  ['302', answer(302), 'refused', 'with status 302'],
  ['time that ran out', { error: aborted }, 'timeout', 'no answer in time'],
  ['a connection refused', { error: new Error('ECONNREFUSED') }, 'unreachable', 'no connection'],
  ['a forbidden address', { error: new ForbiddenAddressError() }, 'unreachable', 'no connection to the push service'],
  ['what is no error', { error: 'odd' }, 'unreachable', 'no connection'],
])('%s', (_what, attempted, outcome, words) => {
  const result = pushTestResultSchema.parse(testResultOf('push.example.com', attempted));
  expect(result.outcome).toBe(outcome);
  expect(result.detail).toContain(words);
  expect(result.detail).toContain('push.example.com');
  expect(result.status).toBe('answer' in attempted ? attempted.answer.status : undefined);
});
