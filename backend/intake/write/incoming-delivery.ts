import type { Sender } from '#backend/contract/sender.ts';
import type { Ruling } from '#backend/alerts/rules/rule-set.ts';
import type { MayEcho } from '#backend/intake/adapters/adapter.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Amendment, ProblemPolicy, ProblemReport } from './problems.ts';

/** SHA-256 of what a sender names a delivery, or an alert of it, by, and of the body where the name stands for one body. */
export interface DeliveryName {
  keyHash: string;
  bodyHash: string;
}

/** One alert of a delivery. */
export interface IncomingEvent extends ProblemReport {
  payload: JsonText;
  extraData: JsonText;
  customer: string | null;
  alertType: string | null;
  url: string;
  sender: Sender | null;
  groupKey: string | null;
  isTest: boolean;
  /** Until when the report holds by what its sender says, in milliseconds. */
  until?: number | null;
  /** When the sender named this delivery of it: makes its redelivery harmless. */
  delivery: DeliveryName | undefined;
  /** The one alert that is meant: nothing happens to another of the same problem. */
  only?: string | undefined;
  /** A change of what the sender said of its alert, and no firing: it makes no alert, opens none, and is not counted. */
  amends?: Amendment;
  /** What the alert's newest payload becomes; without, the event's own takes its place. Pure. */
  merge?: (newest: JsonText) => JsonText;
  /** What the sender reports as done, where Alertdesk may have asked for that itself: then it changes nothing. */
  mayEcho?: MayEcho;
  /** Written as a note on the alert. */
  note?: string | undefined;
  /** What a rule files it under. */
  label?: string;
  /** What rules decided about it when it was written; absent where none is about it. */
  ruling?: Ruling | undefined;
}

/** The id of the product itself where the id of a source would stand; its alerts belong to no source. */
export const BUILT_IN_SOURCE = 'built-in';

/**
 * What one request brings, or one step of a large one (docs/decisions/0098-large-deliveries.md), stored whole or not at all, and
 * with whom it came.
 */
export interface IncomingDelivery {
  /** `secretId` is the secret that it came with; null where a session stands behind it. */
  source: { id: string; name: string; secretId: string | null };
  policy: ProblemPolicy;
  /** The member's session (its stored hash) behind a test alert, which came with no secret. */
  sessionId?: string;
  receivedAt: number;
  /** When its body was read, a moment of `performance.now()`; undefined where no sender's request stands behind it. */
  readAt?: number | undefined;
  events: IncomingEvent[];
  /** The key under which a sender sent all of it, where each alert has a name of its own made of that. */
  name?: DeliveryName | undefined;
  /** SHA-256 by which the same signed request is recognised whole, whatever ids it names: see `Verification`. */
  signedKey?: string;
  /** The product itself reports something: nobody's secret or session stands behind it, and none can end. */
  isOwn?: boolean;
  /** Nobody is to be notified. */
  isQuiet?: boolean;
  /** Alerts of another system: one whose problem has an alert here already, in whatever status, changes nothing. */
  isImport?: boolean;
}

/** Whether the sender named what it delivers, so that it may have come before. */
export const namesDelivery = ({ signedKey, events }: IncomingDelivery): boolean =>
  signedKey !== undefined || events.some(({ delivery }) => delivery !== undefined);

/** Whether a payload is merged with what is stored. */
export const isMerged = ({ events }: IncomingDelivery): boolean => events.some(({ merge }) => merge !== undefined);
