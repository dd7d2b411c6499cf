import type { DOMAttributes, RefObject } from 'react';
import type { ListHold } from './list-hold.ts';
import type { LeavingRows } from './list-rows.ts';
import { screenTopOf } from './list-scroll.ts';
import type { SwipeHandlers } from './swipe.tsx';
import type { useMovedGuard } from './use-moved-guard.ts';
import type { useRovingFocus } from './use-roving-focus.ts';

/** What in a card is tapped for itself. */
const CONTROLS = 'a, button, input, label, [role="radiogroup"]';

interface FeedHandlersOptions {
  hold: ListHold;
  guard: ReturnType<typeof useMovedGuard>;
  focus: Pick<ReturnType<typeof useRovingFocus>, 'onFocus' | 'onBlur' | 'onKeyDown'>;
  swipe: RefObject<SwipeHandlers | null>;
  /** What scrolls the list. */
  scroller: Element | null;
  leaving: LeavingRows;
  openAlert: (id: string) => void;
}

/** What a list does with pointers, keys and the focus, whichever card they are on. */
export const useFeedHandlers = ({
  hold,
  guard,
  focus,
  swipe,
  scroller,
  leaving,
  openAlert,
}: FeedHandlersOptions): DOMAttributes<HTMLDivElement> => ({
  onFocus: focus.onFocus,
  onBlur: focus.onBlur,
  onKeyDownCapture: hold.typed,
  onKeyDown: focus.onKeyDown,
  onPointerMove(event) {
    hold.moved(event.pointerType === 'mouse' ? event.clientY - screenTopOf(scroller) : undefined);
    guard.onPointerMove(event);
    swipe.current?.onPointerMove(event);
  },
  onPointerDownCapture(event) {
    hold.pressed();
    guard.onPointerDown(event);
    swipe.current?.onPointerDown(event);
  },
  onPointerUp: (event) => swipe.current?.onPointerUp(event),
  onPointerCancel: (event) => swipe.current?.onPointerCancel(event),
  onClickCapture(event) {
    swipe.current?.onClickCapture(event);
    guard.onClick(event);
  },
  onClick({ target, nativeEvent }) {
    // A finger needs more than a line of text to open an alert: its whole card.
    if (!(target instanceof Element) || (nativeEvent as PointerEvent).pointerType !== 'touch') return;
    const { alertId } = target.closest<HTMLElement>('[data-alert-id]')?.dataset ?? {};
    if (alertId === undefined || leaving.has(alertId) || target.closest(CONTROLS)) return;
    openAlert(alertId);
  },
  onPointerLeave({ pointerType }) {
    // A finger leaves with every tap.
    if (pointerType === 'mouse') hold.left();
  },
});
