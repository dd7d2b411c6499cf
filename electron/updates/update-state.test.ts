import { describe, expect, test } from 'vitest';
import type { UpdateState } from '#electron/contract/desktop.ts';
import {
  UNKNOWN_UPDATE_ERROR,
  type UpdateEvent,
  explainUpdateError,
  initialUpdateState,
  nextUpdateState,
} from './update-state.ts';

const after = (...events: UpdateEvent[]): UpdateState => events.reduce(nextUpdateState, initialUpdateState('stable'));
const FOUND: UpdateEvent[] = [{ type: 'check-started' }, { type: 'available', version: '1.0.4' }];

describe('an update', () => {
  test.each<[UpdateEvent[], Partial<UpdateState>]>([
    [[], { status: 'idle', version: null, percent: null, error: null, channel: 'stable' }],
    [[{ type: 'check-started' }], { status: 'checking' }],
    [[{ type: 'check-started' }, { type: 'not-available' }], { status: 'not-available', version: null }],
    [FOUND, { status: 'available', version: '1.0.4', percent: null }],
    [[...FOUND, { type: 'download-started' }], { status: 'downloading', version: '1.0.4', percent: 0 }],
    [[...FOUND, { type: 'download-started' }, { type: 'progress', percent: 41.6 }], { percent: 42 }],
    [[...FOUND, { type: 'download-started' }, { type: 'progress', percent: 140 }], { percent: 100 }],
    [[...FOUND, { type: 'downloaded', version: '1.0.4' }], { status: 'downloaded', version: '1.0.4', percent: null }],
    [[...FOUND, { type: 'failed', sentence: 'No.' }], { status: 'error', version: '1.0.4', error: 'No.' }],
    [[...FOUND, { type: 'failed', sentence: 'No.' }, { type: 'check-started' }], { status: 'checking', error: null }],
    [[...FOUND, { type: 'channel-changed', channel: 'beta' }], { status: 'idle', version: null, channel: 'beta' }],
  ])('after %j', (events, expected) => {
    expect(after(...events)).toMatchObject(expected);
  });

  test('is not taken back by what comes late', () => {
    const downloaded = after(...FOUND, { type: 'download-started' }, { type: 'downloaded', version: '1.0.4' });
    expect(nextUpdateState(downloaded, { type: 'progress', percent: 99 })).toEqual(downloaded);
    expect(nextUpdateState(downloaded, { type: 'channel-changed', channel: 'beta' })).toMatchObject({
      status: 'downloaded',
      channel: 'beta',
    });
    const half = after(...FOUND, { type: 'download-started' }, { type: 'progress', percent: 50 });
    expect(nextUpdateState(half, { type: 'progress', percent: 3 }).percent).toBe(50);
  });
});

test.each([
  [
    Object.assign(new Error('sha512 checksum mismatch, expected x, got y'), { code: 'ERR_CHECKSUM_MISMATCH' }),
    'damaged',
  ],
  [Object.assign(new Error('…'), { code: 'ERR_UPDATER_INVALID_SIGNATURE' }), 'not signed'],
  [new Error('net::ERR_INTERNET_DISCONNECTED'), 'internet connection'],
  [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'certificate'],
  [Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }), 'space'],
  [Object.assign(new Error('operation not permitted'), { code: 'EPERM' }), 'could not be written'],
  [Object.assign(new Error('…'), { code: 'ERR_UPDATER_INVALID_UPDATE_INFO' }), 'could not be read'],
  [new Error('something of 2007 or 4044 bytes'), UNKNOWN_UPDATE_ERROR],
  ['no error at all', UNKNOWN_UPDATE_ERROR],
])('%s is said in words', (error, part) => {
  expect(explainUpdateError(error)).toContain(part);
});
