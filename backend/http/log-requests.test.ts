import { expect, test } from 'vitest';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { createLogAnswer } from './log-requests.ts';

/** The levels at which answers of this route are logged. */
function levelsOf(route: string, status: number): string[] {
  const levels: string[] = [];
  const level = (name: string) => () => void levels.push(name);
  const logger = { isLevelEnabled: () => true, info: level('info'), debug: level('debug') } as unknown as Logger;
  const answered = { requestId: 'r', method: 'GET', path: '/', route, status, startedAt: 0, address: '127.0.0.1' };
  createLogAnswer(logger, () => undefined)(answered);
  return levels;
}

test.each(['/webhook', '/in/:token', '/v2/enqueue', '/v2/alerts', '/ping/:token', '/healthz', 'web app'])(
  'what comes again and again is logged at debug alone, unless it fails: %s',
  (route) => {
    expect(levelsOf(route, 200)).toEqual(['debug']);
    expect(levelsOf(route, 503)).toEqual(['info']);
  },
);

test('every other answer is logged at info, and a call of no heartbeat', () => {
  expect(levelsOf('/ping/:token', 404)).toEqual(['info']);
  expect(levelsOf('/api/alerts/inbox', 200)).toEqual(['info']);
});
