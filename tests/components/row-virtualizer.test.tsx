import { screen, waitFor } from '@testing-library/dom';
import { type Dispatch, type SetStateAction, startTransition, use, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { useRowVirtualizer } from '#renderer/alerts/list/row-virtualizer.ts';

/** Height of what is above the list and stays on top of it, and of a row, in pixels. */
const HEAD = 113;
const ROW = 64;

interface Shown {
  rows: readonly { id: string }[];
  /** What rendering the rows waits for. */
  until?: Promise<void>;
  holdsPosition: boolean;
}

const rowsFrom = (first: number, count = 60): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row ${first + index}` }));

function List({ scroller, rows, holdsPosition }: Shown & { scroller: Element }) {
  const { items, height, offset } = useRowVirtualizer({
    scroller,
    top: HEAD,
    rows,
    estimateHeight: () => ROW,
    scrolled: ROW,
    hasHead: true,
    holdsPosition,
  });
  return (
    <ul style={{ height }} data-offset={offset}>
      {items.map(({ index, key, start }) => (
        <li key={key} data-start={start}>
          {rows[index]?.id}
        </li>
      ))}
    </ul>
  );
}

/** Suspends the rendering that it belongs to. */
function Wait({ until }: Pick<Shown, 'until'>) {
  if (until) use(until);
  return undefined;
}

let scroller: HTMLElement;
let show: Dispatch<SetStateAction<Shown>>;
let renderAgain: () => void;

function Page() {
  const [shown, setShown] = useState<Shown>({ rows: rowsFrom(0), holdsPosition: true });
  const [, setTimes] = useState(0);
  show = setShown;
  renderAgain = () => setTimes((times) => times + 1);
  return (
    <>
      <List scroller={scroller} {...shown} />
      <Wait until={shown.until} />
    </>
  );
}

function scrollBy(pixels: number): void {
  scroller.scrollTop += pixels;
  scroller.dispatchEvent(new Event('scroll'));
}

/** How far below the upper end of what scrolls a row stands, in pixels. */
const placeOf = (id: string): number => Number(screen.getByText(id).dataset['start']) - scroller.scrollTop;

beforeEach(async () => {
  scroller = document.body.appendChild(document.createElement('div'));
  Object.defineProperties(scroller, {
    offsetHeight: { value: 600 },
    scrollHeight: { value: 10_000 },
    scrollTo: { value: ({ top }: ScrollToOptions) => (scroller.scrollTop = top ?? 0) },
  });
  const root = createRoot(scroller);
  onTestFinished(() => {
    root.unmount();
    scroller.remove();
  });
  root.render(<Page />);
  await screen.findByText('row 14');
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW);
});

/** Begins to render an alert more on top; returns what lets the rendering end. */
function beginArrival(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  startTransition(() => show((shown) => ({ ...shown, rows: rowsFrom(-1, 61), until: promise })));
  return resolve;
}

/** A macrotask in which React renders what has begun, as far as it can. */
const rendered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

test('a rendering that is discarded moves no row', async () => {
  const end = beginArrival();
  await rendered();
  flushSync(renderAgain);
  expect(scroller.scrollTop).toBe(ROW);
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW);

  end();
  await waitFor(() => expect(scroller.scrollTop).toBe(2 * ROW));
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW);
  expect(screen.getByRole('list')).toHaveAttribute('data-offset', String(2 * ROW));
});

test('what somebody scrolls while rows are rendered is kept', async () => {
  const end = beginArrival();
  await rendered();
  scrollBy(30);
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW - 30);
  end();
  await waitFor(() => expect(scroller.scrollTop).toBe(2 * ROW + 30));
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW - 30);
});

test('rows in view stay when those behind the head, and many above, come and go', async () => {
  flushSync(() => show({ rows: rowsFrom(1), holdsPosition: true }));
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW);
  flushSync(() => show({ rows: rowsFrom(-99, 160), holdsPosition: true }));
  expect(placeOf('row 3')).toBe(HEAD + 2 * ROW);
  expect(screen.queryByText('row -99')).toBeNull();
});

test('the first row in view stays where the one above it in view leaves', async () => {
  flushSync(() => show({ rows: rowsFrom(2), holdsPosition: true }));
  expect(placeOf('row 2')).toBe(HEAD + ROW);
});

test('a list that does not hold its position stays scrolled as it is', async () => {
  flushSync(() => show({ rows: rowsFrom(-1, 61), holdsPosition: false }));
  expect(scroller.scrollTop).toBe(ROW);
  expect(placeOf('row 3')).toBe(HEAD + 3 * ROW);
});
