/** The message when nothing better is known. */
export const UNKNOWN_UPDATE_ERROR = 'Failed to check for updates';

const UNREACHABLE =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|timed? ?out|net::ERR_(?:INTERNET|NAME|CONNECTION|NETWORK|ADDRESS|PROXY|TIMED)/i;

/** The first that fits an error's code and message says what is wrong. */
const SENTENCES: readonly [RegExp, string][] = [
  [
    /ERR_CHECKSUM_MISMATCH|checksum mismatch/,
    'The downloaded update was damaged or changed on its way, so it was thrown away. Try again.',
  ],
  [
    /ERR_UPDATER_INVALID_SIGNATURE|is not signed by the application owner/,
    "The downloaded update does not carry the publisher's signature, so it was thrown away.",
  ],
  [/ENOSPC/, 'There is not enough space on the disk for the update.'],
  [/EACCES|EPERM|EROFS/, 'The update could not be written to the disk.'],
  [/net::ERR_CERT|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/, "The update server's certificate is not trusted."],
  [
    /ERR_UPDATER_(?:CHANNEL_FILE_NOT_FOUND|LATEST_VERSION_NOT_FOUND|NO_PUBLISHED_VERSIONS)|\b404\b/,
    'The releases page has no update for this app.',
  ],
  [/\b(?:403|429)\b/, 'The releases page takes no more requests for now. Try again later.'],
  [/\b50\d\b/, 'The releases page has trouble of its own. Try again later.'],
  [/ERR_UPDATER_INVALID_(?:UPDATE_INFO|RELEASE_FEED|VERSION)/, 'What the releases page says cannot be understood.'],
  [UNREACHABLE, 'The releases page cannot be reached. Check the internet connection.'],
];

/** What went wrong with an update, in a sentence for a person. The rest of the error is for the log. */
export function explainUpdateError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = error instanceof Error && 'statusCode' in error ? String(error.statusCode) : '';
  const text = `${code} ${status} ${error instanceof Error ? error.message : String(error)}`;
  return SENTENCES.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN_UPDATE_ERROR;
}
