import { useEffect } from 'react';
import { isTyping } from '#renderer/lib/single-keys.ts';
import { COARSE } from '#renderer/lib/use-media-query.ts';
import { FIELD } from './keep-focus.ts';

const findFirst = (): HTMLInputElement | null => document.querySelector(`main ${FIELD}`);

/**
 * Where something new is written, the name has the focus from the start, and what is suggested there is typed over. Not by
 * fingers: the keyboard would come up over the page.
 *
 * @param isNew what is known of it when the page is opened
 * @param find the name; by default the first field of the page
 */
export function useFocusOfNew(isNew = true, find = findFirst): void {
  useEffect(() => {
    if (!isNew || matchMedia(COARSE).matches || isTyping({ target: document.activeElement })) return;
    const name = find();
    name?.focus({ preventScroll: true });
    name?.select();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it has the focus once
  }, []);
}
