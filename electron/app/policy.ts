import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { LINK_SCHEME } from '#electron/contract.ts';
import { type ServerChoice, teamServerUrlSchema } from '#electron/contract/server-choice.ts';
import type { Memory, Store } from '#electron/store.ts';

/** Where administrators set policies: what stands for the machine goes before what stands for the person. */
const KEYS = [String.raw`HKLM\Software\Policies\Alertdesk`, String.raw`HKCU\Software\Policies\Alertdesk`];

/** A key of every Windows. */
const ALWAYS_THERE = String.raw`HKLM\Software\Policies`;

const SERVER_SWITCH = '--server=';

/** What an administrator has decided for this app. */
export interface Policy {
  /** The one server that the app shows; undefined where people choose. */
  server: ServerChoice | undefined;
  /** Whether crashes are kept as dumps on this computer. */
  keepsCrashDumps: boolean;
}

interface PolicyParts {
  argv: readonly string[];
  platform: NodeJS.Platform;
  store: Pick<Store, 'get' | 'change'>;
  /** What `reg query KEY` writes. Throws as `execFileSync` does. */
  query?: (key: string) => string;
  onInvalid: (value: string) => void;
  onUnreadable: (error: unknown) => void;
}

/**
 * Reads the policies: `ServerUrl` and `CrashDumps` of the registry, and `--server=` of the command line, over which the
 * registry goes. Beside a link the command line does not count, as other programs write what stands around it. While the
 * registry cannot be read, what it said last stands.
 *
 * @param onInvalid is given an address that is none
 * @param onUnreadable is given why the registry could not be read
 */
export function readPolicy(parts: PolicyParts): Policy {
  const { argv, platform, onInvalid } = parts;
  const registry = platform === 'win32' ? readRegistry(parts) : null;
  const hasLink = argv.some((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}:`));
  const given = argv.find((one) => one.startsWith(SERVER_SWITCH))?.slice(SERVER_SWITCH.length);
  const url = registry?.serverUrl ?? (hasLink ? undefined : given);
  return { server: readServer(url, onInvalid), keepsCrashDumps: Number(registry?.crashDumps ?? 1) !== 0 };
}

/** The values of the registry, as it writes them: a number as `0x1`. */
function readRegistry({ store, query = queryRegistry, onUnreadable }: PolicyParts): Memory['policy'] {
  const { policy: last } = store.get();
  try {
    const texts = readKeys(query);
    const valueOf = (name: string) => texts.map((text) => readValue(text, name)).find(Boolean) ?? null;
    const policy = { serverUrl: valueOf('ServerUrl'), crashDumps: valueOf('CrashDumps') };
    if (policy.serverUrl !== last?.serverUrl || policy.crashDumps !== last.crashDumps) store.change({ policy });
    return policy;
  } catch (error) {
    onUnreadable(error);
    return last;
  }
}

/** What stands in each key; empty for one that there is not. Throws when the registry cannot be read. */
function readKeys(query: (key: string) => string): string[] {
  let isReadable = false;
  return KEYS.map((key) => {
    try {
      return query(key);
    } catch (error) {
      // `reg` ends with 1 for a key that there is not, and also where it may read nothing at all.
      if ((error as { status?: unknown }).status !== 1) throw error;
      if (!isReadable) query(ALWAYS_THERE);
      isReadable = true;
      return '';
    }
  });
}

function readServer(url: string | undefined, onInvalid: (value: string) => void): ServerChoice | undefined {
  if (url === undefined) return undefined;
  const address = teamServerUrlSchema.safeParse(url);
  if (address.success) return { kind: 'team-server', url: address.data };
  onInvalid(url);
  return undefined;
}

/** A value in what `reg query` writes: `    ServerUrl    REG_SZ    https://…`. */
function readValue(text: string, name: string): string | undefined {
  const line = new RegExp(String.raw`^\s+${name}\s+REG_(?:SZ|EXPAND_SZ|DWORD)\s+(\S.*?)\s*$`, 'im').exec(text);
  return line?.[1];
}

function queryRegistry(key: string): string {
  // By its whole path: whoever can write into another folder of PATH would be asked instead.
  const program = join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'reg.exe');
  return execFileSync(program, ['query', key, '/reg:64'], {
    encoding: 'utf8',
    timeout: 5_000,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
