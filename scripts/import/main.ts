/** `npm run import -- opsgenie|oncall|csv FILE`: people, integrations and open alerts of another system. */
import type { FileHandle } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { openPrivateFile, readCredentials, readServerUrl } from '#scripts/administrator-options.ts';
import { Complaint } from '#scripts/complaint.ts';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { openApi } from './api.ts';
import { SYSTEMS, type System } from './records.ts';
import { type Reported, runImport } from './run-import.ts';

const USAGE = `Usage: ${commandLine('import', 'opsgenie|oncall|csv FILE [options]')}

Reads people, integrations and open alerts of another system from a file, or from all .json files below a folder, and
says what an import would do. With --apply it does it; again, it adds what is missing.

--apply            writes; without it nothing is changed
--url URL          the server; default http://127.0.0.1:4400
--email EMAIL      the account of an administrator; default: ALERTDESK_EMAIL
--password-file FILE
                   has its password; default: ALERTDESK_PASSWORD
--code CODE        of its authenticator app, or a recovery code, where it has a second step
--links FILE       gets the links of invitations, and addresses and keys of sources, which are shown once
--mail             has the server mail the invitations
--report FILE      gets a line of JSON for each record: what became of it, and why

docs/operations.md says where the files come from.`;

/** Lines with a reason that the terminal shows; the report has all. */
const SHOWN = 20;

export async function run(args: string[]): Promise<void> {
  const options = await readOptions(args);
  const counts = new Map<string, number>();
  const notes: string[] = [];
  // Before any file is made: the password may be wrong.
  const client = await signIn(options.url, options);
  let links: FileHandle | undefined;
  let file: FileHandle | undefined;
  try {
    links = await openPrivateFile(options.links);
    file = await openPrivateFile(options.report);
    await runImport(openApi(options.url, client), {
      ...options,
      keep: async (secret) => {
        await links?.appendFile(`${JSON.stringify(secret)}\n`);
        await links?.sync();
      },
      async report(line) {
        count(counts, line);
        if (line.note !== undefined && notes.length < SHOWN)
          notes.push(`${line.where}: ${line.name}: ${line.outcome}. ${line.note}`);
        await file?.appendFile(`${JSON.stringify(line)}\n`);
      },
    });
  } finally {
    await links?.close();
    await file?.close();
    await client.signOut().catch(() => undefined);
    printTable(counts);
  }
  for (const note of notes) console.log(note);
  if (options.isDryRun) console.log('This was a dry run: nothing was changed. --apply does it.');
}

async function readOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        apply: flag,
        mail: flag,
        url: text,
        email: text,
        'password-file': text,
        code: text,
        links: text,
        report: text,
      },
    });
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
  const { values, positionals } = parsed;
  const [system = '', path, ...rest] = positionals;
  if (!Object.hasOwn(SYSTEMS, system) || path === undefined || rest.length > 0) throw new Complaint(USAGE);
  const url = readServerUrl(values.url);
  if (values.apply && values.links === undefined) {
    throw new Complaint(
      'Addresses and keys of sources, and links of invitations, are shown once: name a file by --links.',
    );
  }
  return {
    system: system as System,
    path,
    url,
    ...(await readCredentials(values)),
    isDryRun: !values.apply,
    isMailed: values.mail,
    links: values.apply ? values.links : undefined,
    report: values.report,
  };
}

function count(counts: Map<string, number>, { kind, outcome }: Reported): void {
  const key = `${kind} ${outcome}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function printTable(counts: ReadonlyMap<string, number>): void {
  const columns = ['imported', 'already there', 'left out'];
  console.log(['', ...columns].map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(14))).join(''));
  for (const kind of ['user', 'source', 'alert', 'other']) {
    const cells = columns.map((outcome) => String(counts.get(`${kind} ${outcome}`) ?? 0).padStart(14));
    console.log(`${kind === 'other' ? 'others' : `${kind}s`}`.padEnd(10) + cells.join(''));
  }
}
