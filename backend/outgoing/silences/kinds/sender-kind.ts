import { SENDER_MARK, type SenderAuth } from '#backend/contract/silence.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';

/** Where a sender's API is and how to sign in. */
export interface SenderTarget {
  url: string;
  auth: SenderAuth;
  /** The user name; for PagerDuty the email of `From`, for Sentry the organization. */
  user: string;
  /** The password or token. */
  secret: string;
}

/** A request to a sender failed. The message is shown to people. */
export class SenderError extends Error {
  override name = 'SenderError';
  /** How long the sender asks to wait after too many requests, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** The sender does not know the alert. Do not retry. */
export class UnknownAlertError extends SenderError {
  override name = 'UnknownAlertError';
}

/** Identity of an alert at its sender: values of the delivered payload, stored as JSON. */
export type Subject = Record<string, unknown>;

/** The alert that a request is about, and earlier requests for it. */
export interface SilenceQuery {
  subject: Subject;
  /** Part of the comment of every silence of this alert at the sender. */
  mark: string;
  /** The sender's id of the silence; null before it is created. */
  madeId: string | null;
  /** Owner for whom it was created; null before. */
  ownerName: string | null;
  /** Ends that were requested or confirmed, in milliseconds since the epoch. */
  ends: readonly number[];
}

/** The silence to create. */
export interface WantedSilence {
  ownerName: string;
  /** Ends with the mark. */
  comment: string;
  now: number;
  endsAt: number;
}

/** A silence that Alertdesk created, as the sender returns it. */
export interface OwnSilence {
  id: string;
  /** Its owner, where the sender returns it. */
  ownerName?: string;
  /** In milliseconds since the epoch; 0 where only a part of it was created. */
  endsAt: number;
}

/** State of an alert at its sender. */
export interface Actual {
  /** The active silence that Alertdesk created. */
  ours: OwnSilence | undefined;
  /** Somebody ended Alertdesk's silence there. */
  isEndedThere?: boolean;
  /** Somebody else has silenced the alert there. */
  isSilencedByOthers?: boolean;
  /** The alert is resolved at the sender. */
  isOver?: boolean;
  /** Data of the kind itself. */
  details?: unknown;
}

/**
 * API of a sender. Requests may be repeated: a server that continues after a kill reads first. Each call may throw a
 * {@link SenderError} or an error of the connection.
 */
export interface SenderApi {
  /** Tests the connection. @returns one sentence for people */
  tryOut(): Promise<string>;
  read(query: SilenceQuery): Promise<Actual>;
  /** Creates the silence, or changes it to the wanted one. */
  silence(query: SilenceQuery, wanted: WantedSilence, actual: Actual): Promise<OwnSilence>;
  /** Ends Alertdesk's silence. */
  end(query: SilenceQuery, ours: OwnSilence): Promise<void>;
  /** Resolves the alert there. */
  resolve?(query: SilenceQuery): Promise<void>;
  /** Whether the alert still fires, for a sender that sends nothing at its end while it is silenced. */
  stillFires?(query: SilenceQuery): Promise<{ fires: boolean; upSince: number | undefined }>;
}

/** A kind of senders. */
export interface SenderKind {
  /** Identity of the alert of a payload; undefined where the payload has none. */
  subjectOf(payload: unknown): Subject | undefined;
  /** The base address of the API, without the path of a page that somebody pasted. */
  baseOf(url: string): string;
  createApi(post: Pick<Post, 'send'>, target: SenderTarget, stopping: AbortSignal): SenderApi;
}

/** Largest difference of two ends that count as the same, in milliseconds: senders count durations by their own clock. */
const SAME_END_MS = 2 * 60_000;

/** Whether an end is one that was requested. */
export const isRequestedEnd = ({ ends }: SilenceQuery, endsAt: number): boolean =>
  ends.some((requested) => Math.abs(requested - endsAt) <= SAME_END_MS);

/** Marker in the comment of every silence that Alertdesk creates. */
export const markerOf = (mark: string): string => `${SENDER_MARK}${mark}]`;

/** An address without slashes at its end. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
