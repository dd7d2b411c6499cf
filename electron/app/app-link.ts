import { LINK_SCHEME } from '#electron/contract.ts';

const ALERT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Links of versions before 1.0.4 say `alerts`. */
const HOSTS = new Set(['alert', 'alerts']);

/**
 * The alert that a link of ours opens, `alertdesk://alert/{id}`; undefined for any other. Anybody can make such a link:
 * it shows something, and never does anything.
 */
export function readAppLink(link: string): { alertId: string } | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || username !== '' || password !== '') return undefined;
  // Of schemes that it does not know, URL leaves the host as it was written.
  if (!HOSTS.has(host.toLowerCase())) return undefined;
  const alertId = pathname.slice(1).replace(/\/$/, '').toLowerCase();
  return ALERT_ID.test(alertId) ? { alertId } : undefined;
}

/** What the jump list offers; the names are the arguments of its starts. */
export const TASKS = ['new-alerts', 'my-alerts', 'pause', 'resume'] as const;
export type Task = (typeof TASKS)[number];

const TASK_SWITCH = '--task=';

/** The argument of a start that asks for a task. */
export const taskArgument = (task: Task): string => TASK_SWITCH + task;

/** What a start of the app asks for, beside the window. */
export type StartRequest = { kind: 'alert'; alertId: string } | { kind: 'task'; task: Task };

/**
 * What the app was started for, as Windows and Linux hand it over. Beside a link nothing else counts, for others' programs
 * write what stands around it.
 *
 * @param argv with the program first
 */
export function readStart(argv: readonly string[]): StartRequest | undefined {
  const given = argv.slice(1);
  const links = given.filter((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`));
  if (links.length > 0) {
    const link = links.length === 1 ? readAppLink(links[0] ?? '') : undefined;
    return link && { kind: 'alert', ...link };
  }
  const task = TASKS.find((name) => given.includes(taskArgument(name)));
  return task && { kind: 'task', task };
}
