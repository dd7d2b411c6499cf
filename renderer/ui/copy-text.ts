import type { Toasts } from '#renderer/toasts/toast.ts';
import * as common from '#renderer/lib/texts.ts';

/** Copies text to the clipboard and says so, or that it failed. Resolves to whether it was copied. */
export async function copyText(text: string, toasts: Toasts): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show({ intent: 'done', title: common.copiedToClipboard });
    return true;
  } catch {
    // Also where there is no clipboard at all: a page that came neither over https nor from this machine.
    toasts.show({ variant: 'destructive', title: common.failedToCopy, description: common.pleaseCopyManually });
    return false;
  }
}
