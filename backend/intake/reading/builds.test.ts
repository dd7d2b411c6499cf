import { describe, expect, test } from 'vitest';
import { eventOf, readSent } from '#tests/support/read-sent.ts';

const sent = (eventType: string, resource: object) => ({
  id: crypto.randomUUID(),
  eventType,
  publisherId: 'tfs',
  resource,
  resourceContainers: { project: { id: 'p1' } },
  createdDate: '2026-03-04T10:00:00Z',
});
const SELF = { refName: 'refs/heads/main' };
const pipelineOf = (revision: number) => ({
  id: 5,
  name: 'shop',
  url: `https://dev.azure.com/nordwind/p1/_apis/pipelines/5?revision=${revision}`,
});
const runOf = (revision: number, values: object) => ({
  pipeline: pipelineOf(revision),
  resources: { repositories: { self: SELF } },
  state: 'inProgress',
  ...values,
});
const azureRun = (revision: number, result: string) =>
  sent('ms.vss-pipelines.run-state-changed-event', {
    run: runOf(revision, { state: 'completed', result }),
    pipeline: pipelineOf(revision),
  });

const azurePart = (kind: 'stage' | 'job', values: object) =>
  sent(`ms.vss-pipelines.${kind}-state-changed-event`, {
    stage: { name: 'Deploy', state: 'inProgress' },
    ...values,
    run: runOf(3, {}),
    pipeline: pipelineOf(3),
  });

describe('a pipeline of Azure DevOps', () => {
  test('is the same after it was edited', () => {
    const failed = eventOf(azureRun(3, 'failed'));
    expect(failed).toMatchObject({ state: 'firing', title: 'shop: failed on main' });
    expect(eventOf(azureRun(4, 'succeeded'))).toMatchObject({ state: 'resolved', dedupKey: failed.dedupKey });
  });

  test('is one problem, whether its build or its run is reported', () => {
    const url = 'https://dev.azure.com/nordwind/p1/_apis/build/Definitions/5?revision=3';
    const build = sent('build.complete', {
      result: 'failed',
      definition: { id: 5, name: 'shop', url },
      project: { id: 'p1', name: 'Shop' },
      sourceBranch: 'refs/heads/main',
    });
    expect(eventOf(build).dedupKey).toBe(eventOf(azureRun(3, 'failed')).dedupKey);
  });

  test('has stages and jobs that fail and succeed by themselves', () => {
    const stage = eventOf(azurePart('stage', { stage: { name: 'Deploy', state: 'completed', result: 'failed' } }));
    expect(stage).toMatchObject({ state: 'firing', title: 'shop Deploy: failed on main' });
    const job = (name: string, result: string) =>
      eventOf(azurePart('job', { job: { name, state: 'completed', result } }));
    const failed = job('eu', 'failed');
    expect(failed).toMatchObject({ state: 'firing', title: 'shop Deploy eu: failed on main' });
    expect(new Set([stage.dedupKey, failed.dedupKey, job('us', 'succeeded').dedupKey]).size).toBe(3);
    expect(job('eu', 'succeeded')).toMatchObject({ state: 'resolved', dedupKey: failed.dedupKey });
    expect(readSent(azurePart('stage', { stage: { name: 'Deploy', state: 'running' } })).ignored).toBe(
      'Nothing to do: running',
    );
  });
});

const githubRun = (head: { id: number; full_name: string }, conclusion: string) =>
  eventOf(
    {
      action: 'completed',
      workflow_run: { name: 'CI', workflow_id: 7, head_branch: 'main', head_repository: head, conclusion },
      repository: { id: 1, full_name: 'nordwind/shop' },
    },
    { 'x-github-event': 'workflow_run' },
  );

test('a run of a fork’s branch is another thing than one of the same branch here', () => {
  const ours = githubRun({ id: 1, full_name: 'nordwind/shop' }, 'failure');
  expect(ours).toMatchObject({ title: 'CI: failure on main', dedupKey: 'workflow_run:1:7:main' });
  const fork = githubRun({ id: 2, full_name: 'kim/shop' }, 'success');
  expect(fork).toMatchObject({ state: 'resolved', dedupKey: 'workflow_run:1:7:kim/shop:main' });
  expect(githubRun({ id: 2, full_name: 'kim/shop' }, 'failure').title).toBe('CI: failure on kim/shop:main');
});

const jenkinsBuild = (url: string, status = 'FAILURE') =>
  eventOf({
    name: 'main',
    display_name: 'main',
    url,
    build: { phase: 'COMPLETED', status, scm: { branch: 'main' } },
  });

describe('a job of Jenkins', () => {
  test('is another one than that of the same name in another folder', () => {
    const one = jenkinsBuild('job/repo-a/job/main/');
    expect(one).toMatchObject({ title: 'repo-a/main: failure on main', customer: 'repo-a' });
    expect(jenkinsBuild('job/repo-b/job/main/', 'SUCCESS').dedupKey).not.toBe(one.dedupKey);
    expect(jenkinsBuild('job/repo-a/job/main/', 'SUCCESS')).toMatchObject({
      state: 'resolved',
      dedupKey: one.dedupKey,
    });
  });

  test('is in folders whose names are shown as people wrote them', () => {
    expect(jenkinsBuild('job/Team%20A/job/50%/job/main/').customer).toBe('Team A/50%');
    expect(jenkinsBuild('job/main/').customer).toBeNull();
  });
});

/** https://docs.netlify.com/deploy/deploy-notifications */
const netlifyDeploy = (state: string) => {
  const id = crypto.randomUUID();
  return readSent({
    id,
    build_id: crypto.randomUUID(),
    state,
    name: 'shop',
    url: 'https://shop.example',
    admin_url: 'https://app.netlify.com/sites/shop',
    deploy_url: `https://${id}--shop.example`,
    error_message: state === 'error' ? 'The build script failed with code 1' : null,
    branch: 'main',
  });
};

/** https://render.com/docs/webhooks */
const renderDeploy = (type: string, status?: string) =>
  readSent(
    { type, data: { id: `evt-${crypto.randomUUID()}`, serviceId: 'srv-d7', serviceName: 'shop', status } },
    { 'webhook-id': crypto.randomUUID() },
  );

describe.each([
  ['Netlify', [netlifyDeploy('building')], netlifyDeploy('error'), netlifyDeploy('ready')],
  [
    'Render',
    [renderDeploy('deploy_started'), renderDeploy('deploy_ended', 'canceled')],
    renderDeploy('deploy_ended', 'failed'),
    renderDeploy('deploy_ended', 'succeeded'),
  ],
])('a deploy of %s', (_, passing, failed, succeeded) => {
  test('that failed is one problem, which the next one that goes well ends', () => {
    expect(failed.events).toMatchObject([{ state: 'firing', severity: 'high' }]);
    expect(succeeded.events).toMatchObject([{ state: 'resolved', dedupKey: failed.events[0]!.dedupKey }]);
  });

  test('that has begun or was canceled is no alert', () => {
    expect(passing.map(({ events, ignored }) => [events, ignored === null])).toEqual(passing.map(() => [[], false]));
  });
});

/** https://octopus.com/docs/administration/managing-infrastructure/subscriptions */
const octopusDeployment = (category: string, message: string) =>
  readSent({
    EventType: 'SubscriptionPayload',
    Payload: {
      ServerUri: 'https://octopus.example',
      Subscription: { Id: 'Subscriptions-1', Name: 'Alerts' },
      Event: { Id: `Events-${crypto.randomUUID()}`, Category: category, Message: message },
    },
  });

test('deployments of Octopus are not one problem because one server reports them, and none ends another', () => {
  const message = 'Deploy to Production failed for Shop release 1.0.7';
  const [failed] = octopusDeployment('DeploymentFailed', message).events;
  expect(failed).toMatchObject({ title: message, severity: 'high', state: 'event', dedupKey: null });
  expect(octopusDeployment('DeploymentSucceeded', 'Deploy to Test succeeded for Docs release 2').events).toEqual([]);
});
