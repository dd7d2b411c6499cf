import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Names of one piece of software in the package managers; several names are alternatives, tried in this order. */
export interface PackageNames {
  'apt-get': string[][];
  dnf?: string[][];
  brew?: string[][];
}

type Manager = keyof PackageNames;

const MANAGERS: readonly Manager[] = ['apt-get', 'dnf', 'brew'];

/** Longest that one package manager may take, in milliseconds. */
const TIMEOUT = 300_000;

/**
 * True when the system may be changed without asking: `CI=true`, `ALERTDESK_INSTALL=1`, or a container of which we are
 * root. `ALERTDESK_INSTALL=0` always forbids it.
 */
export function mayInstall(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (environment['ALERTDESK_INSTALL']) return environment['ALERTDESK_INSTALL'] !== '0';
  if (environment['CI'] === 'true') return true;
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return isContainer && process.getuid?.() === 0;
}

const runs = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const findManager = (): Manager | undefined => MANAGERS.find((manager) => runs(manager, '--version'));

/** The command as root: as it is, or by a sudo that asks for nothing. Undefined when neither is to be had. */
function asRoot(command: string[]): string[] | undefined {
  if (process.getuid?.() === 0) return command;
  return runs('sudo', '-n', 'true') ? ['sudo', '-n', ...command] : undefined;
}

async function run([command = '', ...args]: string[]): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: 'ignore',
    timeout: TIMEOUT,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1' },
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

const INSTALL: Record<Manager, string[]> = {
  // Another test may be installing something.
  'apt-get': ['apt-get', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends'],
  dnf: ['dnf', 'install', '-y'],
  brew: ['brew', 'install'],
};

/** How a person installs it here, for a sentence: `apt-get install chromium`. */
export function installHint(names: PackageNames): string {
  const manager = findManager();
  if (!manager) return 'install it by hand';
  const sudo = manager === 'brew' || process.getuid?.() === 0 ? '' : 'sudo ';
  return `run "${sudo}${manager} install ${names[manager]?.[0]?.join(' ')}"`;
}

/**
 * Installs software by the system's package manager when that is allowed.
 *
 * @returns false when it is not allowed, there is no known package manager, or it failed
 */
export async function installPackage(names: PackageNames): Promise<boolean> {
  const manager = findManager();
  if (!manager || !mayInstall()) return false;
  const privileged = (command: string[]) => (manager === 'brew' ? command : asRoot(command));
  const update = manager === 'apt-get' ? privileged(['apt-get', 'update']) : undefined;
  if (update) await run(update);
  for (const packages of names[manager] ?? []) {
    const command = privileged([...INSTALL[manager], ...packages]);
    if (command && (await run(command))) return true;
  }
  return false;
}
