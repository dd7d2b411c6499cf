/** Keys that do something where they are pressed. Held down, they come again many times a second. */
const ACTION_KEYS = new Set(['Enter', ' ', 'Delete', 'Backspace']);

/** What a click acts on. */
const ACTIONABLE =
  'a, button, summary, [role="button"], [role="menuitem"], [role="option"], [role="radio"], [role="treeitem"]';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Safari ends a composition before the key that ended it; browsers then give keys of an input method this code. */
const KEY_OF_INPUT_METHOD = 229;

/** While a word is composed, as in Japanese or Chinese, Enter and the arrows choose how it is written. They are the input method's. */
function leaveToInputMethod(event: KeyboardEvent): void {
  if (event.isComposing || event.keyCode === KEY_OF_INPUT_METHOD) event.stopImmediatePropagation();
}

function stopRepeatedAction(event: KeyboardEvent): void {
  if (!event.repeat || !ACTION_KEYS.has(event.key)) return;
  // Of the action keys only Enter does more than type in a field: it sends a form.
  if (isTyping(event.target) && (event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement)) return;
  stop(event);
}

/**
 * Makes one press or double click one action. After an action the next row has the focus, or lies under the pointer:
 * a key that is held, or the second click of a double click, would act on that row, which nobody meant.
 *
 * Keys that move or type still repeat. The second click counts where it meets what the first one met. No key acts while a
 * word is composed.
 *
 * @returns removes the guard
 */
export function guardInput(target: Window): () => void {
  let clicked: Element | null = null;
  const onClick = (event: MouseEvent): void => {
    const met = event.target instanceof Element ? event.target.closest(ACTIONABLE) : null;
    if (event.detail <= 1) clicked = met;
    else if (met !== clicked) stop(event);
  };
  target.addEventListener('keydown', leaveToInputMethod, { capture: true });
  target.addEventListener('keydown', stopRepeatedAction, { capture: true });
  target.addEventListener('click', onClick, { capture: true });
  return () => {
    target.removeEventListener('keydown', leaveToInputMethod, { capture: true });
    target.removeEventListener('keydown', stopRepeatedAction, { capture: true });
    target.removeEventListener('click', onClick, { capture: true });
  };
}
