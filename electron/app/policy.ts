import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { LINK_SCHEME } from '#electron/contract.ts';
import { type ServerChoice, teamServerUrlSchema } from '#electron/contract/server-choice.ts';

/** Where administrators set policies: what stands for the machine goes before what stands for the person. */
const KEYS = [String.raw`HKLM\Software\Policies\Alertdesk`, String.raw`HKCU\Software\Policies\Alertdesk`];

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
  /** What `reg query KEY` writes; empty for a key that there is not. */
  query?: (key: string) => string;
  onInvalid: (value: string) => void;
}

/**
 * Reads the policies: `ServerUrl` and `CrashDumps` of the registry, and `--server=` of the command line, over which the
 * registry goes. Beside a link the command line does not count, as other programs write what stands around it.
 *
 * @param onInvalid is given an address that is none
 */
export function readPolicy({ argv, platform, query = queryRegistry, onInvalid }: PolicyParts): Policy {
  const keys = platform === 'win32' ? KEYS.map((key) => query(key)) : [];
  const valueOf = (name: string) => keys.map((text) => readValue(text, name)).find((value) => value !== undefined);
  const hasLink = argv.some((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}:`));
  const given = argv.find((one) => one.startsWith(SERVER_SWITCH))?.slice(SERVER_SWITCH.length);
  const url = valueOf('ServerUrl') ?? (hasLink ? undefined : given);
  return { server: readServer(url, onInvalid), keepsCrashDumps: isOn(valueOf('CrashDumps')) };
}

function readServer(url: string | undefined, onInvalid: (value: string) => void): ServerChoice | undefined {
  if (url === undefined) return undefined;
  const address = teamServerUrlSchema.safeParse(url);
  if (address.success) return { kind: 'team-server', url: address.data };
  onInvalid(url);
  return undefined;
}

/** A number of the registry, which `reg` writes as `0x1`; on unless it is 0. */
const isOn = (value: string | undefined): boolean => value === undefined || Number(value) !== 0;

/** A value in what `reg query` writes: `    ServerUrl    REG_SZ    https://…`. */
function readValue(text: string, name: string): string | undefined {
  const line = new RegExp(String.raw`^\s+${name}\s+REG_(?:SZ|EXPAND_SZ|DWORD)\s+(\S.*?)\s*$`, 'im').exec(text);
  return line?.[1];
}

function queryRegistry(key: string): string {
  // By its whole path: whoever can write into another folder of PATH would be asked instead.
  const program = join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'reg.exe');
  try {
    return execFileSync(program, ['query', key, '/reg:64'], {
      encoding: 'utf8',
      timeout: 5_000,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
