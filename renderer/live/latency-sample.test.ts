import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { setWindowShown } from '#renderer/lib/page-shown.ts';
import { createLatencySample } from './latency-sample.ts';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
let sent: { type: string; alertId: string; afterMs: number }[];
/** How long a ping takes to be answered. */
let roundTripMs: number;
let sample: ReturnType<typeof createLatencySample>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, 16));
  page.visibilityState = 'visible';
  setWindowShown(true);
  sent = [];
  roundTripMs = 40;
  const measure = (report: (took: number) => string | undefined) => {
    setTimeout(() => {
      const text = report(roundTripMs);
      if (text !== undefined) sent.push(JSON.parse(text) as (typeof sent)[number]);
    }, roundTripMs);
  };
  sample = createLatencySample({ measure }, () => 0);
});

afterEach(() => {
  sample.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const newAlert = (id: string) => ({ type: 'new_alert', alert: { id } }) as LiveEvent;

/** Events come, are applied with the next frame, and everything that follows has happened. */
function receive(...ids: string[]): void {
  sample.arrived(ids.map(newAlert));
  vi.advanceTimersByTime(10);
  sample.applied();
  vi.advanceTimersByTime(1_000);
}

it('reports the last new alert of a frame, with half of the round trip and the time until it was drawn', () => {
  sample.arrived([{ type: 'alert_deleted', alertId: 'z' }]);
  sample.applied();
  receive('a', 'b');
  expect(sent).toEqual([{ type: 'shown', alertId: 'b', afterMs: expect.any(Number) as number }]);
  // Until it is applied, until the frame, half of the round trip; a timer of nothing takes up to a millisecond.
  expect(sent[0]?.afterMs).toBeGreaterThanOrEqual(10 + 16 + 20);
  expect(sent[0]?.afterMs).toBeLessThanOrEqual(10 + 16 + 20 + 1);
});

it('reports one alert now and then, however many come', () => {
  for (let second = 0; second < 60; second += 1) receive(`${second}`);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  expect(sent.length).toBeLessThanOrEqual(3);
});

it('says nothing of a page that is hidden, then or meanwhile', () => {
  page.visibilityState = 'hidden';
  receive('a');
  page.visibilityState = 'visible';
  sample.arrived([newAlert('b')]);
  sample.applied();
  page.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});

it('says nothing of a page of the desktop app whose window is in the tray, then or meanwhile', () => {
  setWindowShown(false);
  receive('a');
  setWindowShown(true);
  sample.arrived([newAlert('b')]);
  sample.applied();
  setWindowShown(false);
  setWindowShown(true);
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
  receive('c');
  expect(sent).toMatchObject([{ alertId: 'c' }]);
});

it('says nothing where the machine slept, or its clock was set', () => {
  sample.arrived([newAlert('a')]);
  sample.applied();
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});

it('says nothing of what took more than a minute', () => {
  roundTripMs = 130_000;
  sample.arrived([newAlert('a')]);
  sample.applied();
  vi.advanceTimersByTime(200_000);
  expect(sent).toEqual([]);
});

it('says nothing once it is stopped', () => {
  sample.arrived([newAlert('a')]);
  sample.applied();
  sample.stop();
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});
