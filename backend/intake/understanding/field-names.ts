/** What the field of this name says of an alert. */
export type Role = 'sentence' | 'name' | 'state' | 'flag' | 'severity' | 'color' | 'id' | 'type' | 'link' | 'time';

/** What is inside of an object of this name, and how far its fields may speak for the alert. */
export type Place = 'core' | 'thing' | 'neutral' | 'aside';

/** What a field's name says. Lower ranks are better. */
export interface FieldName {
  /** The words of the name in lower case: `check_state_name` and `checkStateName` are `check`, `state`, `name`. */
  words: readonly string[];
  role: Role | undefined;
  rank: number;
  place: Place;
}

const ranked = (...ranks: string[]): ReadonlyMap<string, number> =>
  new Map(ranks.flatMap((words, rank) => words.split(' ').map((word) => [word, rank] as const)));

/** Nouns that end a field's name. Those of one role are ranked: what says most of what happened comes first. */
const SENTENCES = ranked(
  'title headline',
  'summary subject heading',
  'message msg',
  'text fallback caption',
  'description output',
  'reason error cause',
  'details detail content body comment note',
);
const NAMES = ranked(
  'name alertname fullname displayname',
  'check checkname monitor sensor test rule job workflow pipeline playbook',
  'host hostname fqdn instance server node device machine service servicedesc component resource entity app application function',
  'project repository site domain target stage metric database cluster',
  'alias label program branch',
  'environment env region',
  'tenant client company organization organisation org account workspace namespace',
);
const STATES = ranked('conclusion outcome', 'result verdict', 'status state', 'transition phase health', 'action');
const SEVERITIES = ranked('severity criticality sev', 'urgency priority importance', 'level loglevel', 'impact');
const TYPES = ranked('type event', 'kind', 'category');
const IDS = ranked('dedupkey dedupid fingerprint', 'alias', 'id uuid guid key');
const TIMES = ranked(
  'timestamp',
  'time datetime',
  'occurred triggered started fired happened',
  'created date',
  'updated',
);
const LINKS = ranked('permalink', 'url link', 'href uri');

/** Fields that are true or false, whichever way round: the problem is there when the first are true. */
export const FLAGS: ReadonlyMap<string, 'firing' | 'resolved'> = new Map([
  ...['firing', 'alerting', 'down', 'failed', 'failing', 'offline', 'triggered', 'breached', 'unhealthy'].map(
    (word) => [word, 'firing'] as const,
  ),
  ...[
    'resolved',
    'recovered',
    'up',
    'ok',
    'healthy',
    'reachable',
    'online',
    'alive',
    'closed',
    'passed',
    'success',
  ].map((word) => [word, 'resolved'] as const),
]);

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Objects that senders wrap their news in. */
const CORE = words(
  'alert alerts incident incidents problem problems issue issues event events data payload result results attributes ' +
    'detail details item object notification notifications record records context condition ticket message messages ' +
    'annotations labels fields heartbeat webhook_data body content evaluation occurrence release deploy deployment build ' +
    'run attachment attachments embed embeds section sections error exception fault crash finding',
);

/** Things that an alert is about: they have names, and descriptions that say nothing of what happened. */
const THINGS = words(
  'host hosts service services app application applications monitor monitors check checks sensor test rule pipeline job ' +
    'workflow function device server node instance resource component repository project site domain cluster definition search ' +
    'dag pool database',
);

/** What is said beside: people, who sent it and how, what was before, pictures. */
const ASIDE = words(
  'user users actor sender author creator owner assignee assigned requester reporter contact person people member ' +
    'organization organisation org account accounts team company webhook hook meta links previous prev old before ' +
    'parent related runner agent request response header headers config configuration settings commit committer changed ' +
    'modified by integration subscription notifier provider queue log logs trace span session avatar icon image logo ' +
    'favicon thumbnail footer delivery attempt recently last first script reviewer approver operator page',
);

/** Ids of what has passed once: a problem that ends is not found by them. */
export const PASSING_IDS = words(
  'event execution run build attempt delivery request trace span session transaction message webhook hook log record ' +
    'notification subscription user account organization tenant owner team site node parent group policy occurrence ' +
    'result response sender actor release deploy deployment commit application app project customer queue publisher page',
);

/** Addresses for programs, pictures, of a whole site, and those that do something when they are opened. */
export const NO_PAGES = words(
  'api base icon avatar image logo favicon thumbnail callback webhook hook endpoint download git ssh clone raw self edit ' +
    'unsubscribe acknowledge ack resolve close delete mute snooze escalate silence request gravatar stream drop photo',
);

/** Whether a word is the name of a kind of thing, which names none by itself: `release`, `alert`, `host`. */
export const isKind = (word: string): boolean => CORE.has(word) || THINGS.has(word) || ASIDE.has(word);

const NAMES_KEPT = 4_096;
const known = new Map<string, FieldName>();

/** Reads a field's name. Senders use the same names again: what was read is kept, for a few thousand names. */
export function readFieldName(name: string): FieldName {
  const before = known.get(name);
  if (before) return before;
  const read = interpret(name);
  if (known.size >= NAMES_KEPT) known.clear();
  known.set(name, read);
  return read;
}

/** Longest name that is read, in characters: fields have shorter ones. */
const MAX_NAME = 64;

const split = new Map<string, readonly string[]>();

/**
 * The words of a name or a short text in lower case, at every change from lower to upper case and at everything that is neither
 * letter nor digit.
 */
export function wordsOf(text: string): readonly string[] {
  if (text.length > MAX_NAME) return splitWords(text);
  const before = split.get(text);
  if (before) return before;
  const parts = splitWords(text);
  if (split.size >= NAMES_KEPT) split.clear();
  split.set(text, parts);
  return parts;
}

const splitWords = (text: string): readonly string[] =>
  text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words before a noun that make it another one: the type of an event, the name of a state. */
const OF_EVENTS = words('event hook trigger object detail alert notification webhook incident problem message');

/** Nouns that some write in one word with what is before: `MONITORNAME`, `servicestate`, `shortlink`. */
const COMPOUND = /^(\w{3,}?)(name|id|status|state|type|output|message|url|link)$/;

/** A word that is two: the second is a noun of ours, and the first the name of a thing, or of any address. */
function splitCompound(word: string): readonly string[] {
  if (word.length < MIN_COMPOUND || NAMES.has(word)) return [word];
  const [, before, noun] = COMPOUND.exec(word) ?? [];
  if (before === undefined || noun === undefined) return [word];
  return LINKS.has(noun) || isKind(before) ? [before, noun] : [word];
}
const MIN_COMPOUND = 6;

function interpret(name: string): FieldName {
  const all = wordsOf(name.slice(0, MAX_NAME)).flatMap(splitCompound);
  const last = all.at(-1) ?? '';
  const before = all.at(-2) ?? '';
  const isAside = all.slice(0, -1).some((word) => ASIDE.has(word)) || (all.length === 1 && ASIDE.has(last));
  const { role, rank } = roleOf(all, last, before);
  // Each word before the noun makes it say less of the alert itself: `error_message`, `response_status_text`.
  return { words: all, role, rank: rank + (isAside ? ASIDE_COST : 0), place: placeOf(all, last) };
}

function placeOf(all: readonly string[], last: string): Place {
  if (all.some((word) => OTHERS.has(word)) || ASIDE.has(last)) return 'aside';
  if (all.length > 1 && all.at(-2) === 'alert') {
    // What alerts were put into is the news; what the first of them was sent with is where that stood then.
    if (last === 'group') return 'core';
    if (last === 'payload') return 'neutral';
  }
  if (CORE.has(last)) return 'core';
  return THINGS.has(last) ? 'thing' : 'neutral';
}

/** Words that make any object one of something else: `previous_data`, `user_attributes`. */
const OTHERS = words('previous prev old before request response user owner sender metadata');

/** What a field that is said beside costs: more than any field of the alert's own. */
export const ASIDE_COST = 20;

function roleOf(all: readonly string[], last: string, before: string): { role: Role | undefined; rank: number } {
  const joined = all.join('');
  const at = (role: Role, ranks: ReadonlyMap<string, number>) => {
    const rank = ranks.get(last) ?? ranks.get(joined);
    return rank === undefined ? undefined : { role, rank };
  };
  // The name of a state is a state, that of an event its type.
  if (last === 'name' && STATES.has(before)) return { role: 'state', rank: STATES.get(before)! };
  if (last === 'name' && before === 'event') return { role: 'type', rank: 0 };
  // Rulers call the group of actions that a state has by that state: "recovered".
  if (joined.endsWith('actiongroup') || joined.endsWith('actiongroupname')) return { role: 'state', rank: 3 };
  if (last === 'name' && SEVERITIES.has(before)) return { role: 'severity', rank: SEVERITIES.get(before)! };
  if (last === 'code' || last === 'number' || last === 'count') return { role: undefined, rank: 0 };
  if (last === 'color' || last === 'colour') return { role: 'color', rank: 0 };
  if (all.length === 1 && PROBLEMS.has(last)) return { role: 'sentence', rank: 2 };
  const flag = all.filter((word) => word !== 'is' && word !== 'has');
  if (flag.length === 1 && FLAGS.has(flag[0]!)) return { role: 'flag', rank: 0 };
  return (
    at('type', TYPES) ??
    at('severity', SEVERITIES) ??
    at('state', STATES) ??
    (joined.endsWith('fingerprint') || joined.startsWith('dedup') ? { role: 'id', rank: 0 } : undefined) ??
    at('sentence', SENTENCES) ??
    (last === 'alias' ? undefined : at('id', IDS)) ??
    at('link', LINKS) ??
    at('time', TIMES) ??
    (last === 'at' || last === 'on' ? timeRole(before) : undefined) ??
    (OF_EVENTS.has(last) && all.length > 1 ? { role: 'type', rank: 2 } : undefined) ??
    at('name', NAMES) ?? { role: undefined, rank: 0 }
  );
}

/** What a text is that is called by one of these alone: what happened. */
const PROBLEMS = words('alert alarm problem issue incident warning');

function timeRole(before: string): { role: Role; rank: number } | undefined {
  const rank = TIMES.get(before);
  return rank === undefined ? undefined : { role: 'time', rank };
}
