/** What jsdom has not and the app uses, and a test that fails when the app complains. For the project "components". */
import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/dom';
import { afterEach, beforeEach } from 'vitest';

/** The longest that a page may take to show something, in milliseconds, also on a busy machine. */
configure({ asyncUtilTimeout: 10_000 });
/** How much of the page a failure prints, in characters. */
process.env['DEBUG_PRINT_LIMIT'] ??= '2000';

/** No layout, so nothing changes its size or comes into sight. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

/** A window as wide as a desktop's, in light colours. Queries of a least width hold, those of a longest width do not. */
function matchMedia(media: string): MediaQueryList {
  const list = new EventTarget();
  const matches = media.includes('min-width') || media === '(hover: hover)';
  return Object.assign(list, {
    media,
    matches,
    onchange: null,
    addListener() {},
    removeListener() {},
  }) as MediaQueryList;
}

/** A window of 1440 × 900 px, in which everything else is a row: long lists draw the rows that are in it. */
const [WIDTH, HEIGHT, ROW] = [1440, 900, 40];
const heightOf = (element: Element): number => (element === document.documentElement ? HEIGHT : ROW);
const width = { configurable: true, get: () => WIDTH };
const height = {
  configurable: true,
  get(this: Element) {
    return heightOf(this);
  },
};
Object.defineProperties(HTMLElement.prototype, { offsetWidth: width, offsetHeight: height });
Object.defineProperties(Element.prototype, { clientWidth: width, clientHeight: height });
Element.prototype.getBoundingClientRect = function getBoundingClientRect() {
  return new DOMRect(0, 0, WIDTH, heightOf(this));
};

const nothing = (): void => {};

document.documentElement.lang = 'en';

Object.assign(window, {
  matchMedia,
  ResizeObserver: NoObserver,
  IntersectionObserver: NoObserver,
  scrollTo: nothing,
});
Object.assign(Element.prototype, {
  scrollIntoView: nothing,
  scrollTo: nothing,
  setPointerCapture: nothing,
  releasePointerCapture: nothing,
  hasPointerCapture: () => false,
  getAnimations: () => [],
  animate: () => ({ finished: Promise.resolve(), cancel: nothing, addEventListener: nothing }),
});
// axe looks for icon fonts with it.
Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });
Object.assign(document, { elementFromPoint: () => null, getAnimations: () => [] });

/** jsdom does not know every element of HTML, which React takes for a mistake. */
const UNKNOWN_TO_JSDOM = /The tag <%s> is unrecognized in this browser.*\bsearch\b/s;

let complaints: string[] = [];
/* oxlint-disable-next-line no-console -- React's complaints go there. */
console.error = (...said: unknown[]): void => {
  const text = said.map(String).join(' ');
  if (!UNKNOWN_TO_JSDOM.test(text)) complaints.push(text);
};

beforeEach(() => void (complaints = []));
afterEach(() => {
  if (complaints.length > 0) throw new Error(`The app complained:\n${complaints.join('\n')}`);
});
