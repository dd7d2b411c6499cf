import { expect, test } from 'vitest';
import { decode, encode } from './codec.ts';
import { createMenu } from './menu.ts';
import { doubleNativeImage } from './native-image.ts';
import { decodePng, encodePng } from './png.ts';
import { fromPageUrl, toPageUrl } from './scheme-urls.ts';
import { strict, strictClass } from './strict.ts';
import type { World } from './world.ts';

test('a member that the double does not have is an error that names it', () => {
  class Window {
    #title = 'mine';
    getTitle(): string {
      return this.#title;
    }
  }
  const Strict = strictClass('BrowserWindow', Window);
  const window: object = new Strict();
  expect((window as Window).getTitle()).toBe('mine');
  expect(() => Reflect.get(window, 'setOpacity') as unknown).toThrow(
    'The double of Electron has no BrowserWindow.setOpacity.',
  );
  expect(() => Reflect.get(Strict, 'fromId') as unknown).toThrow('The double of Electron has no BrowserWindow.fromId.');
  expect(() => Reflect.get(strict('app', { quit: () => 0 }), 'dock') as unknown).toThrow('has no app.dock.');
});

test('what structured cloning takes crosses as it is, and nothing else', () => {
  const value = {
    text: 'ä\u2028"',
    nothing: undefined,
    none: null,
    list: [1, NaN, -Infinity, 10n],
    date: new Date(5),
    map: new Map([['a', { deep: new Set([1]) }]]),
    bytes: new Uint8Array([1, 255]),
  };
  expect(decode(encode(value))).toEqual(value);
  expect(decode(encode(new TypeError('no')))).toMatchObject({ name: 'TypeError', message: 'no' });
  expect(() => encode({ run: () => undefined })).toThrow('could not be cloned');
  expect(() => encode(Symbol('s'))).toThrow('could not be cloned');
});

test('PNGs are really written and read, and damage is seen', () => {
  const rgba = Buffer.from([255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 9, 8, 7, 6]);
  const png = encodePng(2, 2, rgba);
  expect(decodePng(png)).toEqual({ width: 2, height: 2, rgba });
  const damaged = Buffer.from(png);
  damaged[45] = (damaged[45] ?? 0) ^ 1;
  expect(() => decodePng(damaged)).toThrow('is damaged');
  expect(() => decodePng(Buffer.from('GIF89a, something else'))).toThrow('This is not a PNG.');
});

test('an image keeps one picture for each scaling', () => {
  const image = doubleNativeImage.createEmpty();
  expect(image.isEmpty()).toBe(true);
  const bgra = Buffer.alloc(20 * 20 * 4, 7);
  const drawn = doubleNativeImage.createFromBitmap(bgra, { width: 20, height: 20, scaleFactor: 1.25 });
  image.addRepresentation({ scaleFactor: 1.25, dataURL: drawn.toDataURL({ scaleFactor: 1.25 }) });
  expect(image.getScaleFactors()).toEqual([1.25]);
  expect(image.getSize(1.25)).toEqual({ width: 16, height: 16 });
  expect(image.toBitmap({ scaleFactor: 1.25 })).toEqual(bgra);
  expect(() => image.toBitmap({ scaleFactor: 2 })).toThrow('no representation at 2');
  expect(() => doubleNativeImage.createFromBitmap(bgra, { width: 20, height: 21 })).toThrow('invalid buffer size');
});

test('addresses of the app’s schemes have a host of their own in Chromium', () => {
  const schemes = new Map([['alertdesk-app', undefined]]);
  const url = 'alertdesk-app://server/page.js?a=1';
  expect(fromPageUrl(toPageUrl(url, schemes))).toBe(url);
  expect(toPageUrl('https://example.com/', schemes)).toBe('https://example.com/');
  expect(fromPageUrl('http://127.0.0.1:4400/')).toBe('http://127.0.0.1:4400/');
});

test('a click marks one radio entry of those that stand together, and turns a checkbox', () => {
  const menu = createMenu({ windows: new Set() } as unknown as World).buildFromTemplate([
    { label: 'Here', type: 'radio', checked: true },
    { label: 'There', type: 'radio', checked: false },
    { type: 'separator' },
    { label: 'Large', type: 'radio', checked: true },
    { label: 'Quiet', type: 'checkbox', checked: true },
  ]);
  const marks = () => ['Here', 'There', 'Large', 'Quiet'].map((label) => menu.find(label)?.checked);
  menu.choose('There');
  menu.choose('There');
  expect(marks()).toEqual([false, true, true, true]);
  menu.choose('Quiet');
  expect(marks()).toEqual([false, true, true, false]);
});
