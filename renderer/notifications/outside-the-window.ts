import { useAttention } from './use-attention.ts';
import { usePushSync } from './use-push-sync.ts';

/** What the signed-in app does beyond its window: its badge, its icon, and the pushes to this browser. */
export function OutsideTheWindow() {
  useAttention();
  usePushSync();
  return null;
}
