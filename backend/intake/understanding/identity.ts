import { type Found, httpLink, joinFound, withValue, traced } from '#backend/intake/json/found.ts';
import { NO_PAGES, PASSING_IDS, wordsOf } from './field-names.ts';
import type { StandingWord } from './standing.ts';
import { type Field, type Survey, isOfWatched } from './survey.ts';

const NEAR = 16;

/** Names of what is checked, run or watched again and again. A run of one of these ends the failure of one before. */
const REPEATED = new Set(
  (
    'check monitor sensor test rule job workflow pipeline stage build deployment definition alertname checkname task schedule cron ' +
    'backup sync run playbook deploy'
  ).split(' '),
);

/** Words of states that come in pairs, so that the end belongs to the beginning of the same thing. */
const PAIRED: ReadonlySet<StandingWord['standing']> = new Set(['firing', 'resolved', 'acknowledged']);

/**
 * What names the problem, the same when it is reported again and when it is over: the sender's own key for it, its id, or the
 * names of what it is about. Undefined where nothing does: what has no state, and failures of what is not run again.
 */
export function findKey(found: Survey, standing: StandingWord | undefined): Found | undefined {
  const own = found.id.find(({ name, cost }) => name.rank === 0 && cost < NEAR);
  if (own) return traced(own.text, own.value);
  if (standing === undefined) return undefined;
  const id = idOf(found);
  if (id && standing.from === 'level' && (id.depth > 1 || id.cost > NEAR_ID)) return undefined;
  if (id && (id.isOfProblem || !(isRandom(id.text) || isOfRun(id, standing)))) return withinRule(found, id);
  const names = identityOf(found, standing);
  // What runs again has an id for each run.
  if (id && !(names && isRepeatedRun(found))) return foundOf(id);
  return names;
}

/** How far the id of something may stand that has no state but only says how bad it is. */
const NEAR_ID = 4;

const foundOf = ({ value, name, text }: Field): Found => traced(`${name.words.join('_')}:${text}`, value, 'its id');

/** An id at the top, without a word that says whose it is, of what failed or went well: that of the run. */
const isOfRun = ({ name, within }: Field, { standing }: StandingWord): boolean =>
  name.words.length === 1 && within.length === 0 && (standing === 'failed' || standing === 'succeeded');

/** Rulers call an alert by what it is about, which several rules are about: it is named within its rule. */
function withinRule({ id: ids }: Survey, id: Field): Found {
  const own = foundOf(id);
  if (!isOf(id, ALERTS) || isRandom(id.text) || /^\d+$/.test(id.text)) return own;
  const ofRule = ids.find((field) => field.cost < NEAR && field.name.rank !== 0 && isOf(field, RULES));
  return (ofRule && joinFound('|', foundOf(ofRule), own)) ?? own;
}
const ALERTS = new Set(['alert', 'instance']);
const RULES = new Set(['rule', 'definition', 'policy', 'condition']);

/** Whether an id is that of such a thing, by its name or by the object that it stands in. */
const isOf = ({ name: { words }, within }: Field, things: ReadonlySet<string>): boolean =>
  words.length > 1 ? things.has(words.at(-2)!) : things.has(within.at(-1) ?? '');

/** The id that is most likely the problem's: of an incident, a check, a ticket, never that of a run, a message or an account. */
function idOf({ id }: Survey): (Field & { isOfProblem: boolean }) | undefined {
  let best: (Field & { score: number; isOfProblem: boolean }) | undefined;
  for (const field of id) {
    const { name, cost, within } = field;
    if (cost >= NEAR || name.rank === 0) continue;
    const own = name.words.slice(0, -1);
    const around = (own.length > 0 ? own : within.slice(-1)).map((word) => word.replace(/s$/, ''));
    const isOfProblem = around.some((word) => OF_PROBLEMS.has(word));
    if (!isOfProblem && (around.some((word) => PASSING_IDS.has(word)) || (own.length > 0 && !around.some(isOfThing))))
      continue;
    // Beside the id of the thing stands that of the message, mostly at the top and without a word before it.
    // `error.errorId` beside `error.id`: the former is the error's, the latter that of one report of it.
    const isOwn = own.length === 1 && own[0] === within.at(-1);
    const score = cost + (isOfProblem ? -10 : 0) + (around.length === 0 ? 4 : 0) - (isOwn ? 1 : 0);
    if (!best || score < best.score) best = { ...field, score, isOfProblem };
  }
  return best;
}
const OF_THINGS = new Set(
  (
    'resource device sensor probe service host machine object entity element metric job task case node unique component ' +
    'instance endpoint database'
  ).split(' '),
);
const isOfThing = (word: string): boolean => OF_THINGS.has(word);
const OF_PROBLEMS = new Set(
  'alert incident problem issue check monitor test ticket item trigger alarm definition rule condition error fault'.split(
    ' ',
  ),
);

/** Ids that are drawn, so that nobody knows whether each message has another one. */
const isRandom = (text: string): boolean => /^[\da-f]{8}-[\da-f]{4}-/i.test(text) || /^[\da-zA-Z_-]{20,}$/.test(text);

/** Whether it is about something that runs again and again: a build, a check, a backup. */
export const isRepeatedRun = ({ name, type, state, link }: Survey): boolean =>
  name.some(({ name: { words }, within }) => [...words, ...within].some(isRepeated)) ||
  state.some(({ name: { words }, within }) => [...words, ...within].some(isRepeated)) ||
  link.some(({ name: { words }, cost }) => cost < NEAR && words.some((word) => OF_BUILDS.has(word))) ||
  type.some(({ text, cost }) => cost < NEAR && wordsOf(text).some(isRepeated));
/** What runs again may be named by its page alone. */
const OF_BUILDS = new Set(['build', 'job', 'pipeline', 'workflow', 'deploy']);
const isRepeated = (word: string): boolean => REPEATED.has(word);

/** Most names that make a key. */
const MAX_NAMES = 6;

/** The names of what it is about, as a key. */
function identityOf(found: Survey, standing: StandingWord): Found | undefined {
  const { from, word } = standing;
  const isPaired = PAIRED.has(standing.standing) && (from === 'state' || (from === 'event' && PAIRED_EVENTS.has(word)));
  if (!isPaired && !isRepeatedRun(found)) return undefined;
  const names = found.name.filter(({ cost, value, text }) => cost < NEAR && value.isString && text.length <= MAX_NAME);
  // Any other address may be that of the sender itself, which is the same for all that it reports.
  const addresses =
    names.length > 0 ? [] : found.link.filter((field) => field.depth > 0 && isOfWatched(field)).slice(0, 1);
  const parts = [...names, ...addresses].slice(0, MAX_NAMES);
  if (parts.length === 0) return undefined;
  const key = joinFound('|', ...parts.map(({ value, text }) => traced(text, value)));
  return key && withValue(key, `names:${key.value}`, 'the names of what it is about');
}
const MAX_NAME = 200;

/** Names of events that come in pairs for the same thing: something that was created is none of them. */
const PAIRED_EVENTS = new Set(
  (
    'down up unreachable reachable offline online degraded recovered recovery resolved resolve restored triggered trigger ' +
    'firing alarm cleared ok problem outage'
  ).split(' '),
);

/** Ends of addresses that are no pages. */
const NO_PAGE_ENDS = /\.(?:png|jpe?g|gif|svg|ico|webp|css|js|json|xml|git|zip|gz|txt|pem)(?:[?#]|$)/i;
const FOR_PROGRAMS = /^https?:\/\/(?:api[.-]|[^/]*\.api\.)|\/_?apis?\/|\/rest\/|\/services\/collector/i;

/** The page of it for a person: no address of an API, a picture, or one that does something when it is opened. */
export function findLink(found: Survey): Found | undefined {
  let best: { found: Found; score: number } | undefined;
  for (const field of found.link) {
    if (field.cost >= LINK_FROM || !field.value.isString) continue;
    const score = pageScore(field);
    if (score === undefined || (best && score >= best.score)) continue;
    // Dearer than all else: most addresses need not be looked at.
    const link = httpLink(field.text);
    if (link === undefined || (score >= 0 && (NO_PAGE_ENDS.test(link) || FOR_PROGRAMS.test(link)))) continue;
    best = { found: traced(link, field.value), score };
  }
  return best?.found;
}

/** How little the name of an address says that it is the page: less is better, below 0 it is taken as it is. */
function pageScore({ name: { words }, within, cost, depth }: Field): number | undefined {
  const specified = depth === 0 ? SPECIFIED.indexOf(words.join('')) : -1;
  if (specified >= 0) return specified - SPECIFIED.length;
  const object = within.at(-1) ?? '';
  const is = (set: ReadonlySet<string>) => set.has(object) || words.some((word) => set.has(word));
  if (is(NO_PAGES)) return undefined;
  return cost + (is(OF_PAGES) ? 0 : OTHER_THAN_PAGE) + (is(LESS) ? LESS_THAN_PAGE : 0);
}
const OTHER_THAN_PAGE = 3;
const LESS_THAN_PAGE = 6;
const LINK_FROM = 24;
/** Addresses at the top of a body that are taken as they are, before all others (docs/product.md), in this order. */
const SPECIFIED = ['url', 'link', 'htmlurl', 'externalurl', 'generatorurl', 'dashboardurl'];
const OF_PAGES = new Set(
  'html web alert incident issue ticket portal admin dashboard target build details permalink panel'.split(' '),
);
const LESS = new Set('log logs ssl runbook docs documentation help site check monitor public homepage'.split(' '));

/** Words by which senders call whose it is, the first choice first. */
const CUSTOMERS: ReadonlyMap<string, number> = new Map(
  'tenant client company organization organisation org account workspace cluster environment env namespace'
    .split(' ')
    .map((word, rank) => [word, rank] as const),
);

/** Whose it is, where a field says so by name. */
export function findCustomer(found: Survey): Found | undefined {
  let best: { field: Field; rank: number } | undefined;
  for (const field of found.name) {
    const { words } = field.name;
    const last = words.at(-1)!;
    const rank =
      CUSTOMERS.get(last) ?? (last === 'name' ? CUSTOMERS.get(words.at(-2) ?? field.within.at(-1) ?? '') : undefined);
    if (rank === undefined || (best && rank >= best.rank)) continue;
    const { value, text } = field;
    if (value.isString && text.length <= MAX_NAME && !isNumbered(text)) best = { field, rank };
  }
  return best && traced(best.field.text, best.field.value);
}

/** Accounts that are called by a number or an id name nobody. */
const isNumbered = (text: string): boolean => /^[\d-]+$/.test(text) || isRandom(text);
