/**
 * `alertdesk COMMAND …`: the server, and everything that is done with it from the command line. A built server has it as
 * its launcher; from a clone the scripts of package.json call it, such as `npm run user`.
 */
import process from 'node:process';
import { LAUNCHED, commandLine } from '#backend/platform/logger/command-line.ts';
import { readDotEnv, readEnvFile } from '#backend/server/read-dot-env.ts';
import { Complaint, runCommand } from './complaint.ts';

interface Command {
  does: string;
  load: () => Promise<{ run: (args: string[]) => Promise<void> }>;
}

/** Loaded when it is called: the server is many modules, and a command few. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    does: 'runs the server until it is stopped',
    load: async () => {
      const { main } = await import('#backend/main.ts');
      return { run: () => main() };
    },
  },
  user: { does: 'lists, makes and changes accounts', load: () => import('./user.ts') },
  backup: { does: 'copies the embedded database to a file', load: () => import('./backup.ts') },
  restore: { does: 'puts a backup in the place of the embedded database', load: () => import('./restore.ts') },
  export: {
    does: 'writes everything, or what is stored of a member, as JSON lines',
    load: () => import('./export.ts'),
  },
  import: { does: 'adds people, integrations and alerts of another system', load: () => import('./import/main.ts') },
  configure: {
    does: 'makes what administrators set up equal to a file, or writes that file',
    load: () => import('./configure/main.ts'),
  },
  migrate: { does: 'brings the tables up to date', load: () => import('./migrate.ts') },
  recount: { does: 'corrects the counters over lists', load: () => import('./recount.ts') },
  'secrets-key': { does: 'says where the key of secrets is, and changes it', load: () => import('./secrets-key.ts') },
};

/** Settings of the service, which commands of a built server read. */
const SETTINGS_FILE = process.env['ALERTDESK_SETTINGS'] ?? '/etc/alertdesk.env';

/**
 * So that a command works on what the server works on, which is given its environment. An installed one may be called in
 * any folder, whose `.env` is somebody else's.
 */
function readCommandSettings(): void {
  if (process.env[LAUNCHED] === undefined) readDotEnv();
  else readEnvFile(SETTINGS_FILE, '; run the command as root');
}

const usage = (): string => {
  const lines = Object.entries(COMMANDS).map(([name, { does }]) => [commandLine(name), does] as const);
  const width = Math.max(...lines.map(([call]) => call.length));
  return lines.map(([call, does]) => `${call.padEnd(width)}  ${does}`).join('\n');
};

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (['', 'help', '--help', '-h'].includes(name)) return console.log(usage());
  if (!command) throw new Complaint(`There is no command "${name}".\n\n${usage()}`);
  if (name !== 'serve') readCommandSettings();
  await (await command.load()).run(args);
});
