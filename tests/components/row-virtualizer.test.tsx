import { screen, waitFor } from '@testing-library/dom';
import { startTransition, use, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Root, createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { useRowVirtualizer } from '#renderer/alerts/list/row-virtualizer.ts';

/** Height of what is above the list and stays on top of it, and of a row, in pixels. */
const HEAD = 113;
const ROW = 64;

interface Shown {
  rows: readonly { id: string }[];
  isInUse?: boolean;
  /** What rendering the rows waits for. */
  until?: Promise<void>;
  /** Called once all else was rendered. */
  onWait?: () => void;
}

const rowsFrom = (first: number, count = 60): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row ${first + index}` }));

let scroller: HTMLElement;
let root: Root;
/** How many rows each commit of the list drew. */
let commits: number[] = [];

function List({ rows, isInUse = false }: Shown) {
  const [, setTimes] = useState(0);
  const { items, height, offset } = useRowVirtualizer({
    scroller,
    top: HEAD,
    rows,
    estimateHeight: () => ROW,
    isExact: false,
    scrolled: ROW,
    hasHead: true,
    isInUse,
    mouseAt: () => undefined,
  });
  useLayoutEffect(() => void commits.push(items.length));
  return (
    <>
      <ul style={{ height }} data-offset={offset}>
        {items.map(({ index, key, start }) => (
          <li key={key} data-start={start}>
            {rows[index]?.id}
          </li>
        ))}
      </ul>
      <button onClick={() => setTimes((times) => times + 1)}>Render again</button>
    </>
  );
}

/** Suspends the render that it belongs to. */
function Wait({ until, onWait }: Pick<Shown, 'until' | 'onWait'>) {
  onWait?.();
  if (until) use(until);
  return undefined;
}

const draw = (shown: Shown): void =>
  root.render(
    <>
      <List {...shown} />
      <Wait {...shown} />
    </>,
  );

/** Begins to render an alert more on top; returns what lets the render end. */
async function beginArrival(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const rendered = Promise.withResolvers<void>();
  startTransition(() => draw({ rows: rowsFrom(-1, 61), until: promise, onWait: rendered.resolve }));
  // React renders as far as it can.
  await rendered.promise;
  return resolve;
}

function scrollBy(pixels: number): void {
  scroller.scrollTop += pixels;
  scroller.dispatchEvent(new Event('scroll'));
}

/** How far below the upper end of what scrolls a row stands, in pixels. */
const placeOf = (id: string): number => Number(screen.getByText(id).dataset['start']) - scroller.scrollTop;

/** Where row 3 stands at first, in pixels below the upper end of what scrolls. */
const PLACE = HEAD + 2 * ROW;

beforeEach(async () => {
  scroller = document.body.appendChild(document.createElement('div'));
  Object.defineProperties(scroller, {
    clientHeight: { value: 600 },
    scrollHeight: { value: 20_000 },
    scrollTo: { value: ({ top }: ScrollToOptions) => (scroller.scrollTop = top ?? 0) },
  });
  root = createRoot(scroller);
  onTestFinished(() => {
    root.unmount();
    scroller.remove();
  });
  draw({ rows: rowsFrom(0) });
  await screen.findByText('row 14');
});

test('a discarded render moves no row', async () => {
  expect(placeOf('row 3')).toBe(PLACE);
  const end = await beginArrival();
  screen.getByRole('button').click();
  expect(scroller.scrollTop).toBe(ROW);
  expect(placeOf('row 3')).toBe(PLACE);

  end();
  await waitFor(() => expect(scroller.scrollTop).toBe(2 * ROW));
  expect(placeOf('row 3')).toBe(PLACE);
  expect(screen.getByRole('list')).toHaveAttribute('data-offset', String(2 * ROW));
});

test('what somebody scrolls while rows are rendered is kept', async () => {
  const end = await beginArrival();
  scrollBy(30);
  expect(placeOf('row 3')).toBe(PLACE - 30);
  end();
  await waitFor(() => expect(scroller.scrollTop).toBe(2 * ROW + 30));
  expect(placeOf('row 3')).toBe(PLACE - 30);
});

test('rows in view stay when those behind the head, and many above, come and go', async () => {
  flushSync(() => draw({ rows: rowsFrom(1) }));
  expect(placeOf('row 3')).toBe(PLACE);
  flushSync(() => draw({ rows: rowsFrom(-99, 160), isInUse: true }));
  expect(placeOf('row 3')).toBe(PLACE);
  expect(screen.queryByText('row -50')).toBeNull();
});

test('the rows in view stay where the first of them leaves', async () => {
  flushSync(() => scrollBy(10 * ROW));
  await waitFor(() => expect(placeOf('row 11')).toBe(HEAD));
  const rows = rowsFrom(0).filter(({ id }) => id !== 'row 11');
  flushSync(() => draw({ rows }));
  expect(placeOf('row 12')).toBe(HEAD + ROW);
  expect(placeOf('row 10')).toBe(HEAD);
});

test('a row that is sorted to another place does not take the view along', async () => {
  flushSync(() => scrollBy(10 * ROW));
  await waitFor(() => expect(placeOf('row 11')).toBe(HEAD));
  const rows = rowsFrom(0).filter(({ id }) => id !== 'row 11');
  flushSync(() => draw({ rows: [{ id: 'row 11' }, ...rows] }));
  expect(placeOf('row 12')).toBe(HEAD + ROW);
  flushSync(() => draw({ rows: [...rows, { id: 'row 11' }] }));
  expect(placeOf('row 12')).toBe(HEAD + ROW);
});

test('a list that could not be scrolled to where it was left stays at its top', () => {
  // Its rows fit by now.
  const wanted: number[] = [];
  const scrollTop = { get: () => 0, set: (top: number) => void wanted.push(top) };
  Object.defineProperty(scroller, 'scrollTop', scrollTop);
  flushSync(() => draw({ rows: rowsFrom(-1, 61) }));
  expect(wanted).toEqual([]);
});

test('a list at its top stays there when an alert comes, unless somebody uses it', async () => {
  scrollBy(-ROW);
  flushSync(() => draw({ rows: rowsFrom(-1, 61) }));
  expect(scroller.scrollTop).toBe(0);
  expect(placeOf('row 3')).toBe(PLACE + 2 * ROW);
  flushSync(() => draw({ rows: rowsFrom(-2, 62), isInUse: true }));
  expect(scroller.scrollTop).toBe(ROW);
  expect(placeOf('row 3')).toBe(PLACE + 2 * ROW);
});

test('of many new rows those in view are drawn first, and those around them after', async () => {
  commits = [];
  draw({ rows: rowsFrom(100) });
  await waitFor(() => expect(screen.queryByText('row 114')).not.toBeNull());
  const [first, last] = [commits[0] ?? 0, commits.at(-1) ?? 0];
  expect(first).toBeGreaterThanOrEqual(8);
  expect(last - first).toBeGreaterThanOrEqual(5);
});

test('one new row is drawn at once, with what is around it', async () => {
  commits = [];
  draw({ rows: rowsFrom(-1, 61) });
  await waitFor(() => expect(screen.queryByText('row -1')).not.toBeNull());
  expect(commits).toHaveLength(1);
});
