import { onTestFinished } from 'vitest';

/** Lets the device be a phone until the test ends: a narrow window and a finger. */
export function bePhone(): void {
  const { matchMedia } = window;
  window.matchMedia = (media) =>
    Object.assign(matchMedia(media), { matches: /max-width: 767|pointer: coarse/.test(media) });
  onTestFinished(() => void (window.matchMedia = matchMedia));
}
