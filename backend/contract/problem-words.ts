import type { AlertSeverity, AlertState } from './alert.ts';

/** Senders' words for each severity, in lower case. A word that is in none of them means no severity. */
export const SEVERITY_WORDS: Readonly<Record<Exclude<AlertSeverity, 'none'>, readonly string[]>> = {
  critical: ['critical', 'crit', 'p1', 'sev0', 'sev1', 'disaster', 'page', 'fatal', 'emergency'],
  high: ['high', 'error', 'p2', 'sev2', 'major'],
  warning: ['warning', 'warn', 'p3', 'sev3', 'medium', 'moderate', 'average', 'minor'],
  low: ['low', 'p4'],
  info: ['info', 'information', 'informational', 'p5', 'sev4', 'none', 'ok'],
};

/**
 * Senders' words for where a problem stands, in lower case. An adapter decides by its sender's own; cards leave these
 * words out, which they say in their own.
 */
export const STATE_WORDS: Readonly<Record<Exclude<AlertState, 'event'>, readonly string[]>> = {
  firing: [
    'firing',
    'alerting',
    'alarm',
    'alert',
    'open',
    'opened',
    'active',
    'new',
    'create',
    'created',
    'trigger',
    'triggered',
    'problem',
    'down',
    'failed',
    'failure',
  ],
  acknowledged: ['acknowledged', 'acknowledge', 'ack'],
  resolved: ['resolved', 'resolve', 'ok', 'up', 'closed', 'close', 'recovered', 'recovery', 'success'],
};

/** Names of fields, in lower case, that say how bad a problem is, or where it stands. */
export const PROBLEM_KEY = /sev|level|priorit|urgen|stat(e|us)|action|transition|event|type|kind|result|conclusion/;

/** Names of fields that machines need and people do not: ids, versions, hashes, secrets, addresses of calls. */
export const TECHNICAL_KEY =
  /^(object|receiver|livemode|format|schema|kind|count|number|self|ref|mime_type|(time_?zone|contenttype).*)$|(^|[-_])(i?id|ids|uuid|guid|key|hash|fingerprint|sha|token|secret|signature|url|uri|arn|webhooks|gid|agent)$|[a-z](Id|ID|Ids|Key|Url|URL|Uri|URI|Arn|ARN|Token)$|[vV]ersion$|-type$/;
