import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Comes with electron-builder, without types. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

const workflowSchema = z.object({
  permissions: z.object({ contents: z.literal('read') }),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.int().positive(),
      if: z.string().optional(),
      environment: z.string().optional(),
      strategy: z.object({ matrix: z.object({ include: z.array(z.record(z.string(), z.string())) }) }).optional(),
      needs: z.array(z.string()).optional(),
      permissions: z.object({ contents: z.string() }).optional(),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          if: z.string().optional(),
          env: z.record(z.string(), z.string()).optional(),
          with: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    }),
  ),
});

const readJobs = async (file: string): Promise<z.infer<typeof workflowSchema>['jobs']> => {
  const text = await readFile(join(PROJECT_DIR, '.github', 'workflows', file), 'utf8');
  return workflowSchema.parse(load(text)).jobs;
};

test("the dependencies' workflow takes others' actions by commit alone, and writes nothing", async () => {
  const jobs = Object.values(await readJobs('dependencies.yml'));
  const actions = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(actions.filter((action) => !/^actions\/[\w-]+@[\da-f]{40}$/.test(action))).toEqual([]);
  expect(jobs.map(({ permissions }) => permissions)).toEqual(jobs.map(() => undefined));
  expect(jobs.flatMap(({ steps }) => steps.map(({ run }) => run ?? '')).join('\n')).toContain('npm audit --omit=dev');
});

describe("the desktop app's workflow", () => {
  let jobs: z.infer<typeof workflowSchema>['jobs'];
  beforeAll(async () => {
    jobs = await readJobs('desktop.yml');
  });
  const steps = () => Object.values(jobs).flatMap((job) => job.steps);

  test("takes others' actions by commit alone, whatever becomes of their tags", () => {
    const actions = steps().flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^actions\/[\w-]+@[\da-f]{40}$/.test(action))).toEqual([]);
  });

  test('runs scripts that there are', async () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(join(PROJECT_DIR, 'package.json'), 'utf8')));
    const named = steps().flatMap(({ run }) => [...(run ?? '').matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name));
    expect(named).toEqual(['test:long', 'test:desktop', 'desktop:make']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  test('may write in one job only, which runs nothing before all others went well', () => {
    const writing = Object.entries(jobs).filter(([, { permissions }]) => permissions?.contents === 'write');
    expect(writing.map(([name, { needs }]) => [name, needs])).toEqual([['publish', ['tests', 'installer']]]);
  });

  test('runs every part of the tests, and what they need is required', () => {
    const parts = jobs['tests']?.strategy?.matrix.include ?? [];
    expect(parts.map(({ part }) => part)).toEqual(['check', 'server', 'builds', 'browser', 'desktop']);
    for (const { packages, requires } of parts) expect(requires === undefined).toBe(packages === undefined);
    const long = jobs['long']?.steps.map(({ env }) => env?.['TESTS_REQUIRE'] ?? '').join('') ?? '';
    expect(long.split(',')).toEqual(expect.arrayContaining(['mariadbd', 'galera', 'redis-server', 'haproxy', 'caddy']));
    expect(jobs['long']?.if).toContain("github.event_name == 'schedule'");
  });

  test('shows secrets of signing to tags alone, in the environment that is protected', () => {
    const isTag = "startsWith(github.ref, 'refs/tags/v')";
    expect(jobs['installer']?.environment).toBe(`\${{ ${isTag} && 'signing' || '' }}`);
    const withSecrets = Object.entries(jobs).flatMap(([name, { steps: own }]) =>
      own.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')).map((step) => ({ name, step })),
    );
    expect(withSecrets.map(({ name }) => name)).toEqual(['installer', 'installer']);
    const [prepare, make] = withSecrets;
    expect(prepare?.step.if).toBe(`\${{ ${isTag} }}`);
    // The outputs of a step that was skipped are empty.
    const secrets = Object.values(make?.step.env ?? {}).filter((value) => value.includes('secrets.'));
    expect(secrets.filter((value) => !/^\$\{\{ steps\.signing\.outputs\.\w+ && /.test(value))).toEqual([]);
  });

  test('makes the installer whatever becomes of the specs on real Electron, and keeps what those have left', () => {
    const runs = (name: string) => jobs[name]?.steps.map(({ run }) => run ?? '').join('\n') ?? '';
    expect(runs('specs')).toContain('npm run test:desktop');
    expect(runs('installer')).toContain('npm run desktop:make');
    expect(runs('installer')).not.toContain('test:desktop');
    expect(Object.values(jobs).flatMap(({ needs }) => needs ?? [])).not.toContain('specs');
    const kept = jobs['specs']?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(kept).toMatchObject({ if: '${{ failure() }}', with: { path: expect.stringContaining('test-results/') } });
  });
});
