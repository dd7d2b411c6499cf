import { expect, it } from 'vitest';
import { coveredByKeyboard } from './on-screen-keyboard.ts';

const PHONE = { height: 740, offsetTop: 0, scale: 1, windowHeight: 740, tallest: 740 };

it('is not there where the window is seen as a whole, or lacks a bar of the browser alone', () => {
  expect(coveredByKeyboard(PHONE)).toBeUndefined();
  expect(coveredByKeyboard({ ...PHONE, height: 640 })).toBeUndefined();
});

it('covers what is not seen of the window', () => {
  expect(coveredByKeyboard({ ...PHONE, height: 440 })).toBe(300);
  expect(coveredByKeyboard({ ...PHONE, height: 440, offsetTop: 100 })).toBe(200);
});

it('covers nothing where it makes the window smaller', () => {
  expect(coveredByKeyboard({ ...PHONE, height: 440, windowHeight: 440 })).toBe(0);
});

it('is not taken for there where the page is zoomed in', () => {
  expect(coveredByKeyboard({ ...PHONE, height: 370, scale: 2 })).toBeUndefined();
});
