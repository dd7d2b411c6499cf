import { type KeyboardEvent, type RefObject, useCallback, useRef } from 'react';

/** How long typed letters belong together, in milliseconds. */
const TYPEAHEAD_MS = 1000;

/** The keys of a menu: arrows, Home and End move between its items, letters go to the one that begins with them. */
export function useMenuKeys(menu: RefObject<HTMLElement | null>): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  return useCallback(
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      // Keys of a submenu arrive here, too: React takes what is drawn elsewhere for a part of the item.
      if (!(event.target instanceof Node) || !menu.current?.contains(event.target)) return;
      const items = itemsOf(menu.current);
      const current = items.findIndex((item) => item === document.activeElement);
      const target = items[targetOf(event.key, current, items.length)] ?? typeahead(event.key, items, current, typed);
      if (!target) return;
      event.preventDefault();
      event.stopPropagation();
      target.focus();
    },
    [menu],
  );
}

/** Where the focus goes when a menu opens: its filter, what is chosen, or its first item. */
export function focusMenu(popup: HTMLElement): void {
  const places = ['input', '[aria-checked="true"]', '[role^="menuitem"]'];
  places
    .map((place) => popup.querySelector<HTMLElement>(place))
    .find((found) => found !== null)
    ?.focus();
}

/** The items of a menu that take the focus, without those of its submenus. */
export function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const items = menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? [];
  return [...items].filter((item) => item.closest('[role="menu"]') === menu);
}

/** Index of the item that a key leads to, or -1. */
function targetOf(key: string, current: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowUp':
      return current <= 0 ? count - 1 : current - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}

function typeahead(
  key: string,
  items: HTMLElement[],
  current: number,
  typed: RefObject<{ text: string; at: number }>,
): HTMLElement | undefined {
  const now = performance.now();
  const isFresh = now - typed.current.at >= TYPEAHEAD_MS;
  // A space chooses the item, unless it is inside of what is being typed.
  if (key.length !== 1 || (key === ' ' && isFresh)) return undefined;
  const text = `${isFresh ? '' : typed.current.text}${key.toLowerCase()}`;
  typed.current = { text, at: now };
  // A single letter goes on to the next one, more letters may stay where they led.
  const from = text.length === 1 ? current + 1 : Math.max(current, 0);
  const inOrder = [...items.slice(from), ...items.slice(0, from)];
  return inOrder.find((item) => item.textContent.trim().toLowerCase().startsWith(text));
}
