import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { canPlaySound, playSound, trySound } from './sounds.ts';

/** What the browser plays on: it begins so long after it was asked to, in milliseconds. */
class Device {
  static startsAfter = 800;
  state = 'suspended';
  currentTime = 0;
  destination = {};
  async resume(): Promise<void> {
    if (this.state === 'running') return;
    await new Promise<void>((resolve) =>
      setTimeout(() => {
        this.state = 'running';
        resolve();
      }, Device.startsAfter),
    );
  }
}

const started: number[] = [];
class Tone {
  gain = {
    setValueAtTime: vi.fn<() => void>(),
    linearRampToValueAtTime: vi.fn<() => void>(),
    exponentialRampToValueAtTime: vi.fn<() => void>(),
  };
  connect(): void {}
  start(at: number): void {
    started.push(at);
  }
  stop(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { AudioContext: Device });
  vi.stubGlobal('AudioContext', Device);
  vi.stubGlobal('GainNode', Tone);
  vi.stubGlobal('OscillatorNode', Tone);
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('plays what somebody asks for once the device has started, and lets no news wait for that', async () => {
  const [could, played, tried] = [canPlaySound(), playSound('ping'), trySound('ping')];
  await vi.advanceTimersByTimeAsync(500);
  expect(await could).toBe(false);
  expect(await played).toBe(false);
  expect(started).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(await tried).toBe(true);
  expect(started).toHaveLength(1);
  expect(await playSound('ping')).toBe(true);
});
