import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { LAUNCHED } from '#backend/platform/logger/command-line.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** A section of a page in `docs/`, as an operator has it. */
export interface Section {
  text: string;
  /** The `sh` blocks, in their order. */
  blocks: string[];
  /** What tables quote of the server in their column "seen", as a pattern: `…` stands for anything. */
  seen: Map<string, RegExp>;
}

/** What is quoted, as it may be found within a longer text. */
const patternOf = (words: string): RegExp =>
  new RegExp(
    words
      .split(/ ?… ?/)
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
      .join('[^]*'),
  );

/**
 * Reads a section.
 *
 * @param page file in `docs/`
 * @param heading its heading of the second level
 * @throws {Error} when there is no such section
 */
export async function readSection(page: string, heading: string): Promise<Section> {
  const whole = await readFile(join(PROJECT_DIR, 'docs', page), 'utf8');
  const text = whole.split(/^## /m).find((section) => section.startsWith(`${heading}\n`));
  if (text === undefined) throw new Error(`docs/${page} has no section "${heading}".`);
  const cells = [...text.matchAll(/^\| (?<seen>[^|]+)\|/gm)].map((row) => row[1] ?? '');
  const quotes = cells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`|"([^"]+)"/g)].map((row) => row[1] ?? row[2] ?? ''),
  );
  return {
    text,
    blocks: [...text.matchAll(/^```sh\n(?<lines>[\s\S]*?)^```$/gm)].map((found) => found[1] ?? ''),
    seen: new Map(quotes.filter((words) => words.includes(' ')).map((words) => [words, patternOf(words)])),
  };
}

/** A machine on which such commands run: the real programs, but for what a test has not. */
export interface OperatorsMachine {
  /**
   * Runs lines in one shell, which ends at the first that fails. `/backups` is a folder of this machine.
   *
   * @throws {Error} with what they wrote, when one failed
   */
  run(lines: string, environment: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

/** The day on which the page's examples are made. */
const TODAY = '2026-11-01';

/**
 * A folder with the command `alertdesk`, a `date` that is always that of the page's examples, and a `systemctl` that has
 * the test stop and start its server.
 *
 * @param service what `systemctl` does to the service `alertdesk`, by its verb, such as `stop`
 */
export async function makeOperatorsMachine(service: (verb: string) => Promise<void>): Promise<OperatorsMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-operator-'));
  const [bin, backups] = [join(folder, 'bin'), join(folder, 'backups')];
  await Promise.all([mkdir(bin), mkdir(backups)]);
  const control = await listen(async (verb) => service(verb));
  const program = async (name: string, script: string) => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const node = `'${process.execPath}'`;
  await program('alertdesk', `${LAUNCHED}=1 exec ${node} '${join(PROJECT_DIR, 'scripts', 'alertdesk.ts')}' "$@"`);
  await program('date', `[ "$*" = +%F ] && echo ${TODAY}`);
  const ask = `fetch(process.argv[1], { method: 'POST' }).then(async (r) => { if (!r.ok) throw await r.text(); })`;
  await program('systemctl', `[ "$2" = alertdesk ] && exec ${node} -e "${ask}" "${urlOf(control)}$1"`);

  return {
    run: (lines, environment) =>
      new Promise((resolve, reject) => {
        execFile(
          'bash',
          ['-eu', '-c', lines.replaceAll('/backups', backups)],
          { cwd: folder, env: { PATH: [bin, PATH].join(delimiter), HOME: folder, NODE_COMPILE_CACHE, ...environment } },
          (error, stdout, stderr) => (error ? reject(new Error(`${lines}\n${stdout}${stderr}`)) : resolve(stdout)),
        );
      }),
    async remove() {
      await new Promise((resolve) => control.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Listens for a verb as the path of a request, and answers once it is done. */
async function listen(handle: (verb: string) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    handle((request.url ?? '').slice(1)).then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
