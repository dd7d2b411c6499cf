import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { findProgram } from './find-program.ts';
import { installPackage } from './install-package.ts';
import type { Certificate } from './make-certificate.ts';
import { isListening } from './plain-proxy.ts';

/** One of the examples in `deploy/proxy`. */
export interface ProxyExample {
  name: string;
  file: string;
  program: string;
  /** The whole configuration: the example, and what a test needs around it. */
  configure(example: string, folder: string): string;
  args(file: string, folder: string): string[];
}

export const PROXY_EXAMPLES: readonly ProxyExample[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    program: 'nginx',
    configure: (example, folder) =>
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
       http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
         uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
         ${example} }`,
    args: (file, folder) => ['-p', folder, '-c', file],
  },
  {
    name: 'Caddy',
    file: 'Caddyfile',
    program: 'caddy',
    // Certificates that Caddy gets by itself take a public name; the test brings one.
    configure: (example, folder) =>
      `{\nadmin off\nauto_https disable_redirects\nskip_install_trust\n}\n${example.replace(/\{\n/, `{\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`)}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'HAProxy',
    file: 'haproxy.cfg',
    program: 'haproxy',
    configure: (example) => `global\n  maxconn 200\n${example}`,
    args: (file) => ['-db', '-q', '-f', file],
  },
];

const find = ({ program }: ProxyExample) => findProgram([program], ['/usr/sbin', '/usr/local/sbin']);

/** The proxy's program, installed when that is allowed; undefined when there is none. */
export async function provideProxy(example: ProxyExample): Promise<string | undefined> {
  const found = find(example);
  if (found !== undefined) return found;
  const name = example.program === 'nginx' ? 'nginx-light' : example.program;
  return (await installPackage({ 'apt-get': [[name]] })) ? find(example) : undefined;
}

/** What stands in every example for the own address, and for the servers behind it. */
const PUBLIC_NAME = 'alerts.example.com';
const SERVERS = ['10.0.0.11:4400', '10.0.0.12:4400'];

/**
 * Runs an example as it stands in `deploy/proxy`, with the names of the test in the place of its own.
 *
 * @param servers host and port of each server behind it
 * @param port where it listens
 * @returns what ends it
 */
export async function startProxy(
  example: ProxyExample,
  program: string,
  { servers, port, certificate }: { servers: readonly string[]; port: number; certificate: Certificate },
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-proxy-'));
  await writeFile(join(folder, 'cert.pem'), certificate.cert);
  await writeFile(join(folder, 'key.pem'), certificate.key);
  await writeFile(join(folder, 'both.pem'), certificate.cert + certificate.key);
  let text = await readFile(join(PROJECT_DIR, 'deploy/proxy', example.file), 'utf8');
  for (const [at, server] of SERVERS.entries()) {
    if (!text.includes(server)) throw new Error(`${example.file} does not name ${server}.`);
    text = text.replaceAll(server, servers[at] ?? '');
  }
  text = text
    .replaceAll('/etc/ssl/alertdesk', folder)
    .replaceAll(PUBLIC_NAME, 'localhost')
    .replace(/^localhost \{/m, `https://localhost:${port} {`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`);
  const file = join(folder, example.file);
  await writeFile(file, example.configure(text, folder));
  const child = spawn(program, example.args(file, folder), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${example.name} ended with code ${child.exitCode}.\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return stop;
}
