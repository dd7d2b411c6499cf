import { expect, test } from 'vitest';
import { ACTIONS, RESULTS, readRequestId, writeRequestId } from './answers.ts';

test('the id of a request says what became of it, to its source alone', () => {
  const alertId = '01a2194e-025f-70e1-9bea-f6ed7586f3ff';
  for (const action of ACTIONS) {
    for (const [result] of RESULTS) {
      const processed = { action, result, at: 1_800_000_000_123, alertId };
      const id = writeRequestId('source', processed);
      expect(id).toMatch(/^[\w-]{40}$/);
      expect(readRequestId('source', id)).toEqual(processed);
      expect(readRequestId('other', id)).toBeUndefined();
    }
  }
  const none = { action: 'Close', result: 'missing', at: 0, alertId: null } as const;
  expect(readRequestId('source', writeRequestId('source', none))).toEqual(none);
  for (const wrong of ['', 'x', 'A'.repeat(40)]) expect(readRequestId('source', wrong)).toBeUndefined();
});
