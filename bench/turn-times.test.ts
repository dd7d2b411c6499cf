import { expect, test } from 'vitest';
import { createTurnRecorder, turnTimesText } from './turn-times.ts';

test('turns are counted by how long they took', () => {
  const recorder = createTurnRecorder();
  expect(recorder.read()).toMatchObject({ turns: 0, longest: 0, above20: 0, above50: 0 });
  for (let turn = 0; turn < 997; turn += 1) recorder.record(1);
  for (const long of [21, 50, 80]) recorder.record(long);
  const times = recorder.read();
  expect(times).toMatchObject({ turns: 1_000, above20: 3, above50: 1 });
  expect(times.p50).toBeCloseTo(1, 1);
  expect(times.p99).toBeCloseTo(1, 1);
  expect(Math.abs(times.p999 - 50)).toBeLessThan(0.5);
  expect(Math.abs(times.longest - 80)).toBeLessThan(0.5);
  expect(turnTimesText(times)).toMatch(
    /^1000 turns, p50 1\.00 ms, .*, longest 80\.\d ms, 3 above 20 ms, 1 above 50 ms$/,
  );
});
