import type { Toasts } from '#renderer/toasts/toast.ts';

/** Copies text to the clipboard and says so, or that it failed. Resolves to whether it was copied. */
export async function copyText(text: string, toasts: Toasts): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show({ intent: 'done', title: 'Copied to clipboard' });
    return true;
  } catch {
    // Also where there is no clipboard at all: a page that came neither over https nor from this machine.
    toasts.show({ variant: 'destructive', title: 'Failed to copy', description: 'Please copy manually' });
    return false;
  }
}
