import type { UpdateChannel, UpdateState } from '#electron/contract/desktop.ts';

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
export const isActive = ({ status }: UpdateState): boolean => status === 'downloading' || status === 'downloaded';

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
      return isActive(state) ? { ...state, channel: event.channel } : initialUpdateState(event.channel);
  }
}

const furthest = (reached: number | null, percent: number): number =>
  Math.max(reached ?? 0, Math.min(100, Math.max(0, Math.round(percent))));

/** The message when nothing better is known. */
export const UNKNOWN_UPDATE_ERROR = 'Failed to check for updates';

const UNREACHABLE =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|timed? ?out|net::ERR_(?:INTERNET|NAME|CONNECTION|NETWORK|ADDRESS|PROXY|TIMED)/i;

/** The first that fits an error's code and message says what is wrong. */
const SENTENCES: readonly [RegExp, string][] = [
  [
    /ERR_CHECKSUM_MISMATCH|checksum mismatch/,
    'The downloaded update was damaged or modified, so it was discarded. Try again.',
  ],
  [
    /ERR_UPDATER_INVALID_SIGNATURE|is not signed by the application owner/,
    'The downloaded update is not signed by the publisher, so it was discarded.',
  ],
  [/ENOSPC/, 'There is not enough space on the disk for the update.'],
  [/EACCES|EPERM|EROFS/, 'The update could not be written to the disk.'],
  [/net::ERR_CERT|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/, "The update server's certificate is not trusted."],
  [
    /ERR_UPDATER_(?:CHANNEL_FILE_NOT_FOUND|LATEST_VERSION_NOT_FOUND|NO_PUBLISHED_VERSIONS)|\b404\b/,
    'The releases page has no update for this app.',
  ],
  [/\b(?:403|429)\b/, 'The releases page is limiting requests. Try again later.'],
  [/\b50\d\b/, 'The releases page is having problems. Try again later.'],
  [
    /ERR_UPDATER_INVALID_(?:UPDATE_INFO|RELEASE_FEED|VERSION)/,
    'The response from the releases page could not be read.',
  ],
  [UNREACHABLE, 'The releases page cannot be reached. Check the internet connection.'],
];

/** What went wrong with an update, in a sentence for a person. The rest of the error is for the log. */
export function explainUpdateError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = error instanceof Error && 'statusCode' in error ? String(error.statusCode) : '';
  const text = `${code} ${status} ${error instanceof Error ? error.message : String(error)}`;
  return SENTENCES.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN_UPDATE_ERROR;
}
