/** What jsdom has not and the app uses, and a test that fails when the app complains. For the project "components". */
import '@testing-library/jest-dom/vitest';
import { configure, prettyDOM } from '@testing-library/dom';
import * as React from 'react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

const nothing = (): void => {};

/**
 * A query's error says what the page holds when somebody reads it: a query that waits fails many times before it finds what it
 * looks for, and writing the page down takes longer than looking.
 */
function getElementError(said: string | null, container: Element): Error {
  let message: string | undefined;
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => (message ??= [said, prettyDOM(container)].filter(Boolean).join('\n\n')),
  });
  return error;
}

/** Where React keeps what its packages share. */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { recentlyCreatedOwnerStacks: number };
};

/**
 * In development React takes a stack for each element that a component makes, until it has so many, and counts from 0 again
 * after a second. Complaints name components without them, and they took a quarter of a test's processor time.
 */
const ENOUGH_STACKS = 10_000;
if (!('recentlyCreatedOwnerStacks' in internals))
  throw new Error('React counts the stacks that it takes elsewhere now.');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => ENOUGH_STACKS, set: nothing });

/** The longest that a page may take to show something, in milliseconds, also on a busy machine. */
configure({ asyncUtilTimeout: 20_000, getElementError });
/** How much of the page a failure prints, in characters. */
process.env['DEBUG_PRINT_LIMIT'] ??= '2000';

/**
 * No layout, so nothing changes its size or comes into sight. What the app measures by it is as before it was measured: an
 * open alert lies over its list, and no filter is folded.
 */
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

/** What the HTML standard draws in a line; everything else is a block. */
const IN_LINE = new Set(
  'A,ABBR,B,BDI,BDO,BR,CITE,CODE,DFN,EM,I,KBD,LABEL,MARK,OUTPUT,Q,S,SAMP,SMALL,SPAN,STRONG,SUB,SUP,TIME,U,VAR,svg'.split(
    ',',
  ),
);
const IN_LINE_BLOCKS = new Set('BUTTON,INPUT,METER,PROGRESS,SELECT,TEXTAREA'.split(','));
const NOT_DRAWN = new Set('HEAD,LINK,META,SCRIPT,STYLE,TEMPLATE,TITLE'.split(','));

function displayOf(element: Element): string {
  if (NOT_DRAWN.has(element.tagName) || element.hasAttribute('hidden')) return 'none';
  if (IN_LINE_BLOCKS.has(element.tagName)) return 'inline-block';
  return IN_LINE.has(element.tagName) ? 'inline' : 'block';
}

const inlineStyle = (element: Element): CSSStyleDeclaration => (element as HTMLElement).style;

function visibilityOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { visibility } = inlineStyle(at);
    if (visibility && visibility !== 'inherit') return visibility;
  }
  return 'visible';
}

/**
 * An element's own styles, and what follows for being shown at all. No test in a DOM has the app's styles, and jsdom goes through
 * its own sheet of HTML for every element that a query by role passes, which took nine tenths of the query.
 */
function getComputedStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  const own = inlineStyle(element);
  const computed: Record<string, (() => string) | undefined> = {
    display: () => own.display || displayOf(element),
    visibility: () => visibilityOf(element),
    content: () => (pseudo ? 'none' : 'normal'),
  };
  const valueOf = (name: string): string => computed[name]?.() ?? own.getPropertyValue(name);
  return new Proxy(own, {
    get(target, name) {
      if (name === 'getPropertyValue') return valueOf;
      const value: unknown =
        typeof name === 'string' && computed[name] ? computed[name]() : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

document.documentElement.lang = 'en';

Object.assign(window, {
  getComputedStyle,
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

/** How long a busy machine may take to load the app and to start a server, in milliseconds. */
const PREPARE_TIMEOUT = 240_000;

beforeAll(async () => {
  // Later, because the app wants what is set up above when it is loaded.
  const { prepare } = await import('./open-page.tsx');
  await prepare();
}, PREPARE_TIMEOUT);

beforeEach(() => void (complaints = []));
beforeEach(async ({ task }) => {
  if (!task.result?.retryCount) return;
  const { replaceServer } = await import('./open-page.tsx');
  await replaceServer();
}, PREPARE_TIMEOUT);
afterEach(() => {
  if (complaints.length > 0) throw new Error(`The app complained:\n${complaints.join('\n')}`);
});

// Here, and not where the page is opened: files share that module, and what it registers would hold for the first of them alone.
afterEach(async () => {
  // A clock that one test has stopped would stand still in the next file, too.
  vi.restoreAllMocks();
  const { endTest } = await import('./open-page.tsx');
  await endTest();
});
