/** What the main process's modules log with: a sentence, and what belongs to it. Never a secret, a cookie or a payload. */
export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, error?: unknown): void;
}
