import type { Random } from './random.ts';
import type { Message, Writer } from './webhook-request.ts';
import { CUSTOMERS, FAULTS, HOSTS, PEOPLE, REGIONS, SERVICES, SITES, TROUBLES, type Trouble } from './world.ts';

/** A problem that a sender reports while it lasts. Each sender says of it what it would know. */
export interface Problem {
  /** Made when the problem begins, and the same until it ends: eight digits, and 32 hexadecimal ones. */
  number: number;
  id: string;
  state: 'firing' | 'acknowledged' | 'resolved';
  /** How often it was reported, this time included. */
  reports: number;
  startedAt: Date;
  /** When it is reported now. */
  at: Date;
  trouble: Trouble;
  /** What is measured now, beyond the limit until it is resolved. */
  value: number;
  host: string;
  site: (typeof SITES)[number];
  /** What is wrong with the site. */
  fault: string;
  customer: string;
  service: (typeof SERVICES)[number];
  region: (typeof REGIONS)[number];
  person: (typeof PEOPLE)[number];
}

/** How a sender reports problems. */
export interface ProblemPlay {
  /** What names a problem: two with the same name are not open at once. */
  nameOf: (problem: Problem) => string;
  /** Whether it reports that somebody takes care of a problem. */
  acknowledges?: boolean;
  write: (problem: Problem, random: Random) => Message;
}

/** Problems of one sender that are open at once. */
const MOST_OPEN = 4;

/** Problems of machines are named by what is wrong and where. */
export const machineName = ({ trouble, host }: Problem): string => `${trouble.rule} ${host}`;

/** Problems of sites are named by the site. */
export const siteName = ({ site }: Problem): string => site.name;

/** One line of a machine's problem. */
export const summaryOf = ({ trouble, host, value }: Problem): string =>
  `${trouble.title} on ${host}: ${value} ${trouble.unit}`;

/** The number of the rule by which a machine's problem was found, as monitoring systems number theirs. */
export const ruleNumber = ({ trouble }: Problem): number => TROUBLES.findIndex(({ rule }) => rule === trouble.rule) + 1;

/** The host of a machine's problem, as it is known on the network. */
export const domainOf = ({ host }: Problem): string => `${host}.example.org`;

/** One of three, by the state of a problem; what is firing also stands for what a sender does not know acknowledged. */
export const byState = <T>({ state }: Problem, words: { firing: T; acknowledged?: T; resolved: T }): T =>
  words[state] ?? words.firing;

/** Reports problems of one sender: they begin, repeat, are acknowledged where the sender knows that, and end. */
export function playProblems({ nameOf, acknowledges = false, write }: ProblemPlay): Writer {
  const open = new Map<string, Problem>();

  const nextState = ({ state }: Problem, random: Random): Problem['state'] => {
    const roll = random.whole(1, 10);
    if (state === 'acknowledged' || roll <= 3) return 'resolved';
    return acknowledges && roll <= 5 ? 'acknowledged' : 'firing';
  };

  const begun = (random: Random, now: Date): Problem | undefined => {
    if (open.size >= MOST_OPEN || (open.size > 0 && random.whole(1, 3) > 1)) return undefined;
    const problem = begin(random, now);
    return open.has(nameOf(problem)) ? undefined : problem;
  };

  const reported = (random: Random, now: Date): Problem => {
    const [first, ...others] = [...open.values()];
    if (!first) throw new Error('No problem is open.');
    const last = random.pick([first, ...others]);
    const state = nextState(last, random);
    const value = state === 'resolved' ? last.trouble.limit : measure(last.trouble, random);
    return { ...last, state, value, at: now, reports: last.reports + 1 };
  };

  return (random, now) => {
    const problem = begun(random, now) ?? reported(random, now);
    if (problem.state === 'resolved') open.delete(nameOf(problem));
    else open.set(nameOf(problem), problem);
    return write(problem, random);
  };
}

const measure = ({ low, high }: Trouble, random: Random): number => random.decimal(low, high, high > 100 ? 0 : 1);

function begin(random: Random, now: Date): Problem {
  const trouble = random.pick(TROUBLES);
  const host = random.pick(HOSTS);
  return {
    number: random.whole(10_000_000, 99_999_999),
    id: random.hex(32),
    state: 'firing',
    reports: 1,
    startedAt: now,
    at: now,
    trouble,
    value: measure(trouble, random),
    host,
    site: random.pick(SITES),
    fault: random.pick(FAULTS),
    // A machine's problem is the same customer's, however often it comes back.
    customer: CUSTOMERS[(HOSTS.indexOf(host) * 5 + TROUBLES.indexOf(trouble)) % CUSTOMERS.length] ?? CUSTOMERS[0],
    service: random.pick(SERVICES),
    region: random.pick(REGIONS),
    person: random.pick(PEOPLE),
  };
}
