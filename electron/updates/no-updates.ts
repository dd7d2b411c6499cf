import type { Updates } from '#electron/handlers.ts';
import { createState } from '#electron/state.ts';
import type { UpdateState } from '#electron/contract/updates.ts';

const state = createState<UpdateState>({
  status: 'idle',
  version: null,
  percent: null,
  error: null,
  channel: 'stable',
});

/** Where the app runs from its sources there is nothing to update: every way ends in the sentence that says so. */
export const noUpdates: Updates = {
  state,
  check: async () => refuse(),
  download: async () => refuse(),
  restartAndInstall: async () => void refuse(),
  setChannel(channel) {
    state.set({ ...state.get(), channel });
    return state.get();
  },
};

function refuse(): UpdateState {
  state.set({ ...state.get(), status: 'error', error: 'Only the installed app can update itself.' });
  return state.get();
}
