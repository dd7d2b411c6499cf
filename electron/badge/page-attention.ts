import type { Attention } from '#electron/contract/desktop.ts';
import { type State, createState } from '#electron/state.ts';

/** While no page has reported. */
const NO_ATTENTION: Attention = { inboxCount: 0, connection: 'connecting' };

/** A page that was loaded again and has reported nothing for so long, longer than it waits for an answer, shows a sign-in. In milliseconds. */
const REPORT_MS = 60_000;

/** What the page reports, for the badge and the tray. */
export interface PageAttention {
  state: State<Attention>;
  report(reported: Attention): void;
  /** The page has been loaded again: what it showed is still there, and its next report says how much. */
  reloaded(): void;
  /** There is no page of the server any more. */
  gone(): void;
}

export function createPageAttention(): PageAttention {
  const state = createState<Attention>(NO_ATTENTION);
  let silent: ReturnType<typeof setTimeout> | undefined;
  const set = (attention: Attention): void => {
    clearTimeout(silent);
    state.set(attention);
  };
  return {
    state,
    report: set,
    reloaded() {
      if (state.get().connection === 'signed-out') return;
      set({ ...state.get(), connection: 'connecting' });
      silent = setTimeout(() => state.set({ ...NO_ATTENTION, connection: 'signed-out' }), REPORT_MS);
      silent.unref();
    },
    gone: () => set(NO_ATTENTION),
  };
}
