/** `npm run configure -- FILE`: makes what administrators set up equal to a file. */
import { rm, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { ZodMiniType } from 'zod/mini';
import {
  type Configuration,
  type ConfigurationPlan,
  configurationPlanSchema,
  configurationResultSchema,
  configurationSchema,
} from '#backend/contract/configuration.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { openPrivateFile, readCredentials, readServerUrl } from '#scripts/administrator-options.ts';
import { Complaint } from '#scripts/complaint.ts';
import { type SignedInClient, ask as fetchFrom, clientWith, signIn } from '#scripts/demo/signed-in-client.ts';
import { describePlan } from './print-plan.ts';
import { type ConfigurationFile, readConfigurationFile } from './read-file.ts';
import { writeConfiguration } from './write-file.ts';

const USAGE = `Usage: ${commandLine('configure', 'FILE [options]')}

Makes sources, heartbeats, maintenance windows, rules, destinations, groups, outgoing rules and shared views of a running
server equal to a file: shows what it would change, asks, and changes all of it or nothing. A section that the file does
not name is left as it is; of one that it names, what is not in it is deleted.

--plan             shows the plan and ends: with 2 when something would change
--yes              does not ask
--export           writes the file of what is there, instead
--url URL          the server; default http://127.0.0.1:4400
--email EMAIL      the account of an administrator; default: ALERTDESK_EMAIL
--password-file FILE
                   has its password; default: ALERTDESK_PASSWORD
--code CODE        of its authenticator app, or a recovery code, where it has a second step
--secrets FILE     gets addresses, keys and signing secrets of what is made, which are shown once

For --plan and --export an API token with the scope admin does, too: ALERTDESK_TOKEN.
docs/configuration-as-code.md says what the file holds.`;

/** What the command ends with after a plan with changes, by which a script knows that something would change. */
const EXIT_CHANGES = 2;

/** What the command line gives the command. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  /** Asks whoever runs it; undefined where nobody can be asked. */
  question: ((text: string) => Promise<string>) | undefined;
}

type Request = SignedInClient['request'];

export async function run(args: string[]): Promise<void> {
  process.exitCode = await configure(args, {
    environment: process.env,
    print: (line) => console.log(line),
    question: process.stdin.isTTY ? ask : undefined,
  });
}

async function ask(text: string): Promise<string> {
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await asked.question(text);
  } finally {
    asked.close();
  }
}

/** @returns what the process ends with. @throws {Complaint} where it cannot be done */
export async function configure(args: string[], surroundings: Surroundings): Promise<number> {
  const options = await readOptions(args, surroundings);
  if (options.isExport) {
    const configuration = await withServer(options, async (request) =>
      must(request('GET', '/api/configuration'), configurationSchema),
    );
    await writeFile(options.file, writeConfiguration(configuration), { flag: 'wx' }).catch((error: unknown) => {
      throw new Complaint(`The file ${options.file} cannot be made; it must not exist yet.`, { cause: error });
    });
    surroundings.print(`Written to ${options.file}.`);
    return 0;
  }
  const file = await readConfigurationFile(options.file, surroundings.environment);
  for (const remark of file.remarks) surroundings.print(remark);
  return withServer(options, (request) => planAndApply(request, file, options, surroundings));
}

type Options = Awaited<ReturnType<typeof readOptions>>;

async function planAndApply(
  request: Request,
  file: ConfigurationFile,
  options: Options,
  surroundings: Surroundings,
): Promise<number> {
  const { configuration } = file;
  const { print } = surroundings;
  const plan = await must(request('POST', '/api/configuration/plan', configuration), configurationPlanSchema, file);
  print(describePlan(plan));
  const { changes } = plan;
  if (changes.length === 0) print('Nothing would change.');
  if (changes.length === 0 || options.isPlan) return changes.length === 0 ? 0 : EXIT_CHANGES;
  if (options.secrets === undefined && makesSecrets(configuration, plan)) {
    throw new Complaint(
      'Addresses, keys and signing secrets of what is made are shown once: name a file by --secrets.',
    );
  }
  if (!options.isYes && !(await isAgreed(plan, surroundings))) {
    print('Nothing was changed.');
    return 0;
  }
  const expected = changes.map(({ section, name, action, version }) => ({ section, name, action, version }));
  const secrets = makesSecrets(configuration, plan) ? await openPrivateFile(options.secrets) : undefined;
  let hasFailed = false;
  try {
    const answer = await request('POST', '/api/configuration', { configuration, expected });
    hasFailed = !answer.ok;
    const made = await must(answer, configurationResultSchema, file);
    for (const { path, ...secret } of made.secrets) {
      const address = path === undefined ? {} : { address: new URL(path, options.url).href };
      await secrets?.appendFile(`${JSON.stringify({ ...secret, ...address })}\n`);
    }
    await secrets?.sync();
  } finally {
    await secrets?.close();
    // Nothing was made: the next run may have the file. Without an answer that is not known, and it stays.
    if (hasFailed && secrets && options.secrets !== undefined) await rm(options.secrets, { force: true });
  }
  print(`Done: ${countOf(changes.length)}.`);
  return 0;
}

const countOf = (changes: number): string => `${changes} ${changes === 1 ? 'change' : 'changes'}`;

/** Whether something is made that has a secret of its own. */
const makesSecrets = ({ destinations = [] }: Configuration, { changes }: ConfigurationPlan): boolean =>
  changes.some(
    ({ section, name, action }) =>
      action === 'create' &&
      (section === 'sources' ||
        section === 'heartbeats' ||
        (section === 'destinations' && destinations.some((one) => one.name === name && one.kind === 'webhook'))),
  );

async function isAgreed({ changes }: ConfigurationPlan, { question }: Surroundings): Promise<boolean> {
  if (!question) throw new Complaint('Nobody can be asked here: add --yes to apply the plan, or --plan.');
  const deleted = changes.filter(({ action }) => action === 'delete').length;
  const what = deleted === 0 ? '' : `, ${deleted} of them ${deleted === 1 ? 'a deletion' : 'deletions'}`;
  return (await question(`Apply ${countOf(changes.length)}${what}? Enter yes: `)).trim().toLowerCase() === 'yes';
}

/** The answer, where it is a success. @throws {Complaint} with the lines of the file that errors are about */
async function must<Value>(
  asked: Response | Promise<Response>,
  schema: ZodMiniType<Value>,
  file?: Pick<ConfigurationFile, 'describe'>,
): Promise<Value> {
  const answer = await asked;
  if (answer.ok) return schema.parse(await answer.json());
  const text = (await answer.text()).trim();
  const problem = problemSchema.safeParse(parsed(text));
  if (!problem.success) throw new Complaint(`The server answered ${answer.status}: ${text}`);
  const { errors = [], detail } = problem.data;
  if (answer.status === 422 && file && errors.length > 0)
    throw new Complaint(`${file.describe(errors)}\nNothing was changed.`);
  throw new Complaint(`The server answered ${answer.status}: ${detail}`);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Asks for problems with the errors of every field. */
const AS_JSON = { accept: 'application/json' };

/** Signs in, or uses the token where that does. */
async function withServer<Result>(options: Options, work: (request: Request) => Promise<Result>): Promise<Result> {
  const { url, token, credentials } = options;
  if (credentials) {
    const { cookies } = await signIn(url, credentials);
    const client = clientWith(url, cookies, AS_JSON, credentials.password);
    try {
      return await work(client.request);
    } finally {
      await client.signOut().catch(() => undefined);
    }
  }
  return work((method, path, body) =>
    fetchFrom(new URL(path, url), {
      method,
      headers: { ...AS_JSON, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

async function readOptions(args: string[], { environment }: Pick<Surroundings, 'environment'>) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  let given;
  try {
    given = parseArgs({
      args,
      allowPositionals: true,
      options: {
        plan: flag,
        yes: flag,
        export: flag,
        url: text,
        email: text,
        'password-file': text,
        code: text,
        secrets: text,
      },
    });
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
  const { values, positionals } = given;
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Complaint(USAGE);
  const isReading = values.plan || values.export;
  const token = isReading ? environment['ALERTDESK_TOKEN'] : undefined;
  return {
    file,
    url: readServerUrl(values.url),
    isPlan: values.plan,
    isYes: values.yes,
    isExport: values.export,
    secrets: values.secrets,
    token,
    credentials: token ? undefined : await readCredentials(values, environment),
  };
}
