import { useLayoutEffect } from 'react';
import { passFocus } from './pass-focus.ts';

/** What takes the focus by Tab. */
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

const focusablesIn = (element: Element): HTMLElement[] => [
  ...(element.matches(FOCUSABLE) ? [element as HTMLElement] : []),
  ...element.querySelectorAll<HTMLElement>(FOCUSABLE),
];

const isElement = (node: Node | null): node is Element => node instanceof Element && node.isConnected;

/** Elements one after the other, beginning at `first`. */
function* following(first: Node | null, direction: 'nextSibling' | 'previousSibling'): Generator<Element> {
  for (let node = first; node; node = node[direction]) if (isElement(node)) yield node;
}

/**
 * What takes the focus of a removed element: what stands in its place by now, such as the next row, else what stands before it,
 * else anything else in `container`. In a row it is the button that stands where the former one stood, counted from the end: rows
 * end with what removes them.
 */
function successorOf(
  { target, nextSibling, previousSibling }: MutationRecord,
  container: HTMLElement,
  fromEnd: number,
): HTMLElement | undefined {
  const first = previousSibling?.isConnected
    ? previousSibling.nextSibling
    : nextSibling?.isConnected
      ? nextSibling
      : target.firstChild;
  const rows = [
    ...following(first, 'nextSibling'),
    ...following(previousSibling, 'previousSibling'),
    ...(isElement(target) ? [target] : []),
    container,
  ];
  const found = rows.map(focusablesIn).find((ones) => ones.length > 0);
  return found?.[Math.max(0, found.length - 1 - fromEnd)];
}

/** What takes the focus of a removed element, of which `fromEnd` stood behind it in its row. */
type FindNext = (removal: MutationRecord, fromEnd: number) => HTMLElement | null | undefined;

/**
 * Keeps the focus where it is when the element that has it is removed with its row, or with its form: as the `ref` of what has
 * the rows. Without it the focus would be at the beginning of the page. Where nothing in there takes it, what follows in the
 * dialog does.
 */
export const keepFocus = (container: HTMLElement | null): (() => void) | undefined =>
  container
    ? followFocus(container, (removal, fromEnd) => successorOf(removal, container, fromEnd) ?? nextInDialog(container))
    : undefined;

const nextInDialog = (container: HTMLElement): HTMLElement | undefined => {
  const dialog = container.closest('[role="dialog"]');
  const follows = (one: HTMLElement): boolean =>
    (container.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return dialog ? focusablesIn(dialog).find(follows) : undefined;
};

/**
 * A `ref` for what shows the rest of the rows before it and goes: the last row so far takes its focus, also one that only a script
 * focuses, else what they are in.
 */
export const leaveFocusToRows = passFocus((part) => {
  const rows = part.previousElementSibling;
  const last = rows && (focusablesIn(rows).at(-1) ?? rows.querySelector<HTMLElement>(':scope > [tabindex]:last-child'));
  return last ?? part.closest<HTMLElement>('[tabindex]');
});

/** The same where one place takes the focus, whatever is removed, also when all goes. Made once, outside of what is drawn. */
export const leaveFocusTo = (find: () => HTMLElement | null) => {
  const pass = passFocus(find);
  return (container: HTMLElement | null): (() => void) | undefined => {
    if (!container) return undefined;
    const [end, leave] = [followFocus(container, find), pass(container)];
    return () => {
      leave?.();
      end();
    };
  };
};

function followFocus(container: HTMLElement, findNext: FindNext): () => void {
  const over = new AbortController();
  let focused: HTMLElement | undefined;
  /** Where it stands among what can be focused beside it, by each of the elements around it. */
  let places = new Map<Node, number>();
  container.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      places = new Map();
      for (let row: Element | null = target; row && row !== container; row = row.parentElement) {
        const ones = focusablesIn(row);
        places.set(row, ones.length - 1 - ones.indexOf(target));
      }
    },
    { signal: over.signal },
  );
  container.addEventListener(
    'focusout',
    // Some browsers say so of an element that is removed, too.
    () => queueMicrotask(() => focused?.isConnected && document.activeElement !== focused && (focused = undefined)),
    { signal: over.signal },
  );
  const observer = new MutationObserver((records) => {
    if (!focused || focused.isConnected) return;
    const left = focused;
    focused = undefined;
    if (document.activeElement !== document.body) return;
    for (const record of records) {
      const row = [...record.removedNodes].find((node) => node.contains(left));
      if (row) return findNext(record, places.get(row) ?? 0)?.focus({ preventScroll: true });
    }
  });
  observer.observe(container, { childList: true, subtree: true });
  return () => {
    over.abort();
    observer.disconnect();
  };
}

/** A field in which something is written: the first is the name. */
export const FIELD = 'input:enabled:not([type="checkbox"], [type="range"])';

/**
 * A button that is disabled by what it did, such as Save, leaves the focus to the first field of its form, or of the page: a
 * browser takes it away else.
 *
 * @param causes what disables the button
 */
export function useFocusOfDisabled(causes: readonly unknown[]): void {
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLButtonElement) || !activeElement.disabled) return;
    (activeElement.form ?? document.querySelector('main'))?.querySelector<HTMLElement>(FIELD)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- whoever calls it knows what disables the button
  }, causes);
}
