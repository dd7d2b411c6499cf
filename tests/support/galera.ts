import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { findProgram, orRequired } from './find-program.ts';
import { installPackage } from './install-package.ts';
import { createData, findMariaDb, freePort, readPid, unref } from './mariadb.ts';

/** Where distributions put Galera's library. */
const LIBRARIES = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
];

const findLibrary = (): string | undefined =>
  orRequired(
    'galera',
    LIBRARIES.find((path) => existsSync(path)),
  );

/** What a cluster is made of, if it is here. A node that joins is handed what it missed by rsync's script. */
function findGalera(): { server: string; library: string } | undefined {
  const [server, library] = [findMariaDb(), findLibrary()];
  return server && library && findProgram(['rsync']) ? { server, library } : undefined;
}

/** Whether a cluster can be started here, after an installation where that is allowed. */
export async function provideGalera(): Promise<boolean> {
  if (findGalera()) return true;
  return (await installPackage({ 'apt-get': [['galera-4', 'mariadb-server', 'rsync']] })) && findGalera() !== undefined;
}

/** rsync's daemon gives root's rights away, so nodes run as the user whom the package made for them. */
const isRoot = process.getuid?.() === 0;
const AS_USER = isRoot ? ['--user=mysql'] : [];

/** How long a node may take to be one of the cluster, in milliseconds. */
const JOIN_TIMEOUT = 60_000;

/** One node of a cluster. */
export interface GaleraNode {
  /** `mysql://root@127.0.0.1:PORT/mysql`; the same port after each start. */
  readonly url: string;
  /** Ends its process as a power cut does. */
  kill(): Promise<void>;
  /** Starts it after a kill; resolves when it is one of the cluster and has all that the others have. */
  rejoin(): Promise<void>;
  /** Cuts it off from the other nodes, not from its clients; and lets it back, which resolves when it has what it missed. */
  isolate(): Promise<void>;
  reconnect(): Promise<void>;
  /** Value of one of the node's own counters, such as `wsrep_local_cert_failures`. */
  status(name: string): Promise<string>;
}

/** Three MariaDB servers that replicate to each other, on this machine alone. */
export interface GaleraCluster {
  nodes: GaleraNode[];
  /** Stops every node and removes their data. Also happens when the process that started them ends or is killed. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster of three nodes on loopback.
 *
 * @throws {Error} with the end of a node's log when it does not become one of the cluster
 */
export async function startGalera(): Promise<GaleraCluster> {
  const programs = findGalera();
  if (!programs) throw new Error('There is no Galera here: install galera-4, mariadb-server and rsync.');
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-galera-'));
  // Outlives the nodes' restarts, and removes their data in the end.
  const keeper = guard(folder, 'tail', ['-f', '/dev/null']);
  await readPid(keeper);
  unref(keeper);
  const ports = await Promise.all(Array.from({ length: 12 }, freePort));
  const folders = [1, 2, 3].map((number) => join(folder, `node-${number}`));
  for (const place of folders) await mkdir(join(place, 'data'), { recursive: true });
  // The others are given a copy when they join.
  await createData(programs.server, join(folder, 'node-1', 'data'));
  if (isRoot) await promisify(execFile)('chown', ['-R', 'mysql', folder]);
  const peers = [0, 1, 2].map((node) => `127.0.0.1:${ports[4 * node + 1]}`).join(',');
  const nodes = folders.map((place, node) =>
    createNode({
      ...programs,
      name: basename(place),
      folder: place,
      ports: ports.slice(4 * node, 4 * node + 4),
      peers,
    }),
  );
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await end(keeper);
  };
  try {
    // One after the other: two that join at once would wait for each other's state transfer.
    for (const [index, node] of nodes.entries()) await node.launch(index === 0 ? ['--wsrep-new-cluster'] : []);
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes, stop };
}

/** Runs a program for as long as this process lives (see `run-guarded.ts`), and removes `folder` after it. */
function guard(folder: string, program: string, args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-guarded.ts'), folder, program, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  return child;
}

/** Ends the program and its guard. */
async function end(guarded: ChildProcess): Promise<void> {
  if (guarded.exitCode !== null) return;
  const ended = once(guarded, 'exit');
  guarded.ref();
  guarded.stdin?.end();
  await ended;
}

interface NodePlace {
  server: string;
  library: string;
  name: string;
  folder: string;
  /** Of clients, of the group, of incremental and of whole state transfers. */
  ports: number[];
  peers: string;
}

function createNode({ server, library, name, folder, ports, peers }: NodePlace) {
  const [port = 0, group = 0, increments = 0, transfers = 0] = ports;
  const data = join(folder, 'data');
  const log = join(folder, 'error.log');
  const run = join(folder, 'run');
  const url = `mysql://root@127.0.0.1:${port}/mysql`;
  // How soon a node counts as gone stays as it is: sooner, a busy machine would lose nodes that are there.
  const provider = [
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${increments}`,
    'gcache.size=64M',
  ].join(';');
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${run}`,
    `--socket=${join(run, 'sock')}`,
    `--pid-file=${join(run, 'pid')}`,
    `--log-error=${log}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--innodb-buffer-pool-size=48M',
    '--innodb-log-file-size=16M',
    '--performance-schema=OFF',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    `--wsrep-provider=${library}`,
    `--wsrep-node-name=${name}`,
    ...AS_USER,
  ];
  const inCluster = [
    '--wsrep-on=ON',
    '--wsrep-cluster-name=alertdesk-test',
    `--wsrep-cluster-address=gcomm://${peers}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${transfers}`,
    `--wsrep-provider-options=${provider}`,
    '--wsrep-slave-threads=2',
  ];
  let guarded: ChildProcess | undefined;
  let pid = 0;

  const query = async (sql: string, values: string[] = []): Promise<RowDataPacket[]> => {
    const connection = await createConnection({ uri: url, connectTimeout: 1_000 });
    try {
      return (await connection.query<RowDataPacket[]>(sql, values))[0];
    } finally {
      connection.destroy();
    }
  };
  const status = async (variable: string): Promise<string> =>
    String((await query('SHOW GLOBAL STATUS LIKE ?', [variable]))[0]?.['Value']);
  const setIsolated = (is: 0 | 1) => query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${is}'`);

  const waitUntilSynced = async (running: ChildProcess): Promise<void> => {
    for (const until = performance.now() + JOIN_TIMEOUT; ; await delay(100)) {
      const state = await status('wsrep_local_state_comment').catch((error: unknown) => String(error));
      if (state === 'Synced') return;
      if (running.exitCode === null && performance.now() < until) continue;
      const lines = await readFile(log, 'utf8').catch(() => '');
      throw new Error(`${name} did not join the cluster (${state}).\n${lines.split('\n').slice(-20).join('\n')}`);
    }
  };

  /** A folder that goes with each process. */
  const makeRun = async (): Promise<void> => {
    await mkdir(run, { recursive: true });
    if (isRoot) await promisify(execFile)('chown', ['mysql', run]);
  };

  const launch = async (more: string[]): Promise<void> => {
    await makeRun();
    const started = guard(run, server, [...options, ...inCluster, ...more]);
    guarded = started;
    pid = await readPid(started);
    await waitUntilSynced(started);
    unref(started);
  };

  return {
    url,
    status,
    launch,
    async kill() {
      if (!guarded || guarded.exitCode !== null) return;
      const ended = once(guarded, 'exit');
      guarded.ref();
      process.kill(pid, 'SIGKILL');
      await ended;
    },
    /** The position that a crash left in the tables says from where on a node has to be given what it missed. */
    async rejoin() {
      await makeRun();
      const { stderr } = await promisify(execFile)(server, [
        ...options.filter((option) => !option.startsWith('--log-error')),
        ...inCluster,
        '--wsrep-recover',
      ]).catch((error: unknown) => ({ stderr: String((error as { stderr?: string }).stderr ?? error) }));
      const position = /Recovered position:\s*([0-9a-f-]+:-?\d+)/i.exec(stderr)?.[1];
      await launch(position === undefined ? [] : [`--wsrep-start-position=${position}`]);
    },
    async isolate() {
      await setIsolated(1);
    },
    async reconnect() {
      await setIsolated(0);
      if (guarded) await waitUntilSynced(guarded);
    },
    async stop() {
      if (guarded) await end(guarded);
    },
  };
}
