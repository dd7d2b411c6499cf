import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useToasts } from '#renderer/toasts/toast.ts';
import * as common from '#renderer/lib/texts.ts';

/** How long it shows that a text was copied, in milliseconds. */
const COPIED_MS = 2_000;

/** Whether a text was just copied, could not be, or neither. */
export type CopyState = 'rest' | 'copied' | 'failed';

/**
 * Copies texts and says how that went for two seconds. Where the browser does not allow it, the text in `shown` is selected,
 * so that it can be copied by hand, and a toast says so.
 */
export function useCopy(shown?: RefObject<HTMLElement | null>): {
  state: CopyState;
  copy: (text: string) => Promise<boolean>;
} {
  const [state, setState] = useState<CopyState>('rest');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const toasts = useToasts();
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = useCallback(
    async (text: string): Promise<boolean> => {
      const isCopied = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      );
      clearTimeout(timer.current);
      setState(isCopied ? 'copied' : 'failed');
      if (isCopied) {
        toasts.announce(common.copiedToClipboard);
        timer.current = setTimeout(() => setState('rest'), COPIED_MS);
        return true;
      }
      if (shown?.current) window.getSelection()?.selectAllChildren(shown.current);
      toasts.show({ variant: 'destructive', title: common.failedToCopy, description: common.pleaseCopyManually });
      return false;
    },
    [shown, toasts],
  );
  return { state, copy };
}
