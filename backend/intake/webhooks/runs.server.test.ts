import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
});
afterAll(() => server.destroy());

interface Sample {
  headers: Record<string, string>;
  body: Record<string, unknown>;
}
function sampleOf(name: string): Sample {
  const { headers, body } = JSON.parse(
    readFileSync(new URL(`../reading/samples/${name}.json`, import.meta.url), 'utf8'),
  ) as Sample;
  // That of JSON is set for every request.
  const { 'content-type': _, ...others } = headers;
  return { headers: others, body };
}

const post = async (token: string, { headers, body }: Sample) =>
  (await world.send(`/in/${token}`, { headers, body: JSON.stringify(body) })).status;

const pending = async (sourceId: string) =>
  server.database.reads.getRepository(AlertEntity).findBy({ sourceId, status: 'pending' });

test.each([
  ['github-workflow-run-failed', 'github-workflow-run-succeeded'],
  ['azure-devops-build-failed', 'azure-devops-build-succeeded'],
  ['bitbucket-build-failed', 'bitbucket-build-succeeded'],
  ['circleci-failed', 'circleci-succeeded'],
  ['jenkins-failed', 'jenkins-succeeded'],
  ['argocd-degraded', 'argocd-healthy'],
  ['flux-failed', 'flux-succeeded'],
  ['flux-source-failed', 'flux-source-new-artifact'],
  ['sonarqube-gate-failed', 'sonarqube-gate-passed'],
  ['github-deployment-failed', 'github-deployment-succeeded'],
])(
  'of a workflow that fails, fails again and succeeds one card is left, and nothing waits',
  async (failed, succeeded) => {
    const { source, token } = await world.newSource();
    const again = sampleOf(failed);
    const statuses = [await post(token, sampleOf(failed))];
    // Each run has ids of its own.
    statuses.push(await post(token, { ...again, body: { ...again.body, id: 'another', taskId: 'another' } }));
    const [card, ...others] = await pending(source.id);
    expect([card?.severity, others]).toEqual(['high', []]);
    statuses.push(await post(token, sampleOf(succeeded)));
    expect(await pending(source.id)).toEqual([]);
    expect(statuses).toEqual([202, 202, 202]);
  },
);

test.each([
  ['GitHub', 'github-workflow-run-requested', 'Nothing to do: requested'],
  ['GitHub', 'github-workflow-run-cancelled', 'Nothing to do: cancelled'],
  ['GitHub', 'github-check-run-neutral', 'Nothing to do: neutral'],
  ['GitLab', 'gitlab-job-running', 'Nothing to do: running'],
  ['GitLab', 'gitlab-job-allowed-to-fail', 'Nothing to do: failed, which is allowed'],
  ['Bitbucket', 'bitbucket-build-stopped', 'Nothing to do: STOPPED'],
  ['Azure DevOps', 'azure-devops-build-canceled', 'Nothing to do: canceled'],
  ['CircleCI', 'circleci-canceled', 'Nothing to do: canceled'],
  ['Jenkins', 'jenkins-started', 'Nothing to do: STARTED'],
])('what %s reports on the way is in the log and makes no card', async (_, name, summary) => {
  const { source, token } = await world.newSource();
  expect(await post(token, sampleOf(name))).toBe(202);
  await world.expectNewest(source.id, { outcome: 'ignored', summary });
  expect(await pending(source.id)).toEqual([]);
});

const titled = (title: string): Sample => {
  const { headers, body } = sampleOf('datadog-default');
  return { headers, body: { ...body, title } };
};

test.each<[string, Sample, Sample, Sample]>([
  [
    'in the payload of the set-up',
    sampleOf('datadog-web-1-triggered'),
    sampleOf('datadog-web-2-triggered'),
    sampleOf('datadog-web-1-recovered'),
  ],
  [
    'in the default payload',
    titled('[Triggered on {host:web-1}] CPU above 90 %'),
    titled('[Triggered on {host:web-2}] CPU above 90 %'),
    titled('[Recovered on {host:web-1}] CPU above 90 %'),
  ],
])('a recovery of one host leaves the alert of the other: %s', async (_, one, other, recovered) => {
  const { source, token } = await world.newSource();
  for (const request of [one, other, one]) expect(await post(token, request)).toBe(202);
  expect(await pending(source.id)).toHaveLength(2);
  expect(await post(token, recovered)).toBe(202);
  expect((await pending(source.id)).map(({ title }) => title)).toEqual([expect.stringContaining('web-2')]);
});

test('of a failure and a success at once a later failure is a card, and its success ends it', async () => {
  const { source, token } = await world.newSource();
  const failed = sampleOf('jenkins-failed');
  const succeeded = sampleOf('jenkins-succeeded');
  const statuses = await Promise.all([failed, succeeded, failed].map((request) => post(token, request)));
  expect(statuses).toEqual([202, 202, 202]);
  await post(token, failed);
  expect(await pending(source.id)).toHaveLength(1);
  await post(token, succeeded);
  expect(await pending(source.id)).toEqual([]);
});
