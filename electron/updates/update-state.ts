import type { UpdateChannel, UpdateState } from '#electron/contract/updates.ts';

/** What happens to an update. */
export type UpdateEvent =
  | { type: 'check-started' }
  | { type: 'available'; version: string }
  | { type: 'not-available' }
  | { type: 'download-started' }
  | { type: 'progress'; percent: number }
  | { type: 'downloaded'; version: string }
  | { type: 'failed'; sentence: string }
  | { type: 'channel-changed'; channel: UpdateChannel };

/** Before anything is known. */
export const initialUpdateState = (channel: UpdateChannel): UpdateState => ({
  status: 'idle',
  version: null,
  percent: null,
  error: null,
  channel,
});

/** True while an update is being fetched or waits to be installed: looking for another one would throw it away. */
export const isUnderWay = ({ status }: UpdateState): boolean => status === 'downloading' || status === 'downloaded';

/** The update status after `event`. */
export function nextUpdateState(state: UpdateState, event: UpdateEvent): UpdateState {
  const { channel } = state;
  const settled = { percent: null, error: null, channel };
  switch (event.type) {
    case 'check-started':
      return { ...settled, status: 'checking', version: null };
    case 'available':
      return { ...settled, status: 'available', version: event.version };
    case 'not-available':
      return { ...settled, status: 'not-available', version: null };
    case 'download-started':
      return { ...settled, status: 'downloading', version: state.version, percent: 0 };
    case 'progress':
      // One that comes late changes nothing, and the bar never goes back.
      return state.status === 'downloading' ? { ...state, percent: furthest(state.percent, event.percent) } : state;
    case 'downloaded':
      return { ...settled, status: 'downloaded', version: event.version };
    case 'failed':
      return { ...settled, status: 'error', version: state.version, error: event.sentence };
    case 'channel-changed':
      // What the other channel offered is not on offer any more.
      return isUnderWay(state) ? { ...state, channel: event.channel } : initialUpdateState(event.channel);
  }
}

const furthest = (reached: number | null, percent: number): number =>
  Math.max(reached ?? 0, Math.min(100, Math.max(0, Math.round(percent))));
