import { LINK_SCHEME } from '#electron/contract.ts';

const ALERT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Links of versions before 1.0.4 say `alerts`. */
const HOSTS = new Set(['alert', 'alerts']);

const CODE = /^[\w-]{43}$/;

/**
 * The code by which a sign-in in the system's browser ends here, `alertdesk://sign-in/{code}`; undefined for any other link.
 * Anybody can make such a link: without the secret of the page that began the sign-in it does nothing.
 */
export function readSignInLink(link: string): { code: string } | undefined {
  const code = readPath(link, SIGN_IN_HOSTS);
  return code !== undefined && CODE.test(code) ? { code } : undefined;
}

const SIGN_IN_HOSTS = new Set(['sign-in']);

/** What stands behind one of these hosts in a link of ours. */
function readPath(link: string, hosts: ReadonlySet<string>): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || username !== '' || password !== '') return undefined;
  // Of schemes that it does not know, URL leaves the host as it was written.
  return hosts.has(host.toLowerCase()) ? pathname.slice(1).replace(/\/$/, '') : undefined;
}

/**
 * The alert that a link of ours opens, `alertdesk://alert/{id}`; undefined for any other. Anybody can make such a link:
 * it shows something, and never does anything.
 */
export function readAppLink(link: string): { alertId: string } | undefined {
  const alertId = readPath(link, HOSTS)?.toLowerCase();
  return alertId !== undefined && ALERT_ID.test(alertId) ? { alertId } : undefined;
}

/** What the jump list offers; the names are the arguments of its starts. */
export const TASKS = ['new-alerts', 'my-alerts', 'pause', 'resume', 'quit'] as const;
export type Task = (typeof TASKS)[number];

const TASK_SWITCH = '--task=';

/** The argument of a start that asks for a task. */
export const taskArgument = (task: Task): string => TASK_SWITCH + task;

/** The argument of a start with the system: nobody has asked for the window, which stays where it is. */
export const HIDDEN_SWITCH = '--hidden';

/** What a start of the app asks for, beside the window. */
export type StartRequest =
  | { kind: 'alert'; alertId: string }
  | { kind: 'signIn'; code: string }
  | { kind: 'task'; task: Task };

/** What a link of ours asks for. */
export function readLink(link: string): StartRequest | undefined {
  const alert = readAppLink(link);
  if (alert) return { kind: 'alert', ...alert };
  const signIn = readSignInLink(link);
  return signIn && { kind: 'signIn', ...signIn };
}

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
    return links.length === 1 ? readLink(links[0] ?? '') : undefined;
  }
  const task = TASKS.find((name) => given.includes(taskArgument(name)));
  return task && { kind: 'task', task };
}

/** Whether a start is only meant to end the app: from the jump list, which is there when the app does not run, too. */
export function isQuitRequest(argv: readonly string[]): boolean {
  const request = readStart(argv);
  return request?.kind === 'task' && request.task === 'quit';
}
