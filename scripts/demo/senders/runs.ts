import { type Problem, type ProblemPlay, byState, domainOf, machineName, summaryOf } from '#scripts/demo/problems.ts';
import { type Writer, json, secondsOf, uuidOf } from '#scripts/demo/webhook-request.ts';
import { COMMITS, COMPANY, HOSTS } from '#scripts/demo/world.ts';

const BRANCHES = ['main', 'release', 'fix/timeouts'] as const;

const branchOf = ({ number }: Problem) => BRANCHES[number % BRANCHES.length] ?? 'main';
const commitOf = ({ number }: Problem) => COMMITS[number % COMMITS.length] ?? COMMITS[0];
const repositoryOf = ({ service }: Problem) => `${service}-service`;

/** What runs is named by its repository and branch: the same one fails once at a time. */
const runName = (problem: Problem): string => `${repositoryOf(problem)} ${branchOf(problem)}`;

/** Azure DevOps reports the end of each build. */
export const azureDevops: ProblemPlay = {
  nameOf: runName,
  write(problem) {
    const id = problem.number + problem.reports;
    const name = repositoryOf(problem);
    const page = `https://dev.azure.com/${COMPANY.slug}/${name}`;
    const result = byState(problem, { firing: 'failed', resolved: 'succeeded' });
    return json({
      id: uuidOf(`${problem.id.slice(0, 29)}${String(problem.reports).padStart(3, '0')}`),
      eventType: 'build.complete',
      publisherId: 'tfs',
      message: { text: `Build ${name}_${id} ${result}` },
      resource: {
        _links: { web: { href: `${page}/_build/results?buildId=${id}` } },
        id,
        buildNumber: String(id),
        status: 'completed',
        result,
        finishTime: problem.at.toISOString(),
        definition: { id: 5, name, url: `https://dev.azure.com/${COMPANY.slug}/_apis/build/Definitions/${name}` },
        project: { name },
        sourceBranch: `refs/heads/${branchOf(problem)}`,
      },
      createdDate: problem.at.toISOString(),
    });
  },
};

/** Bitbucket reports the status of a commit that its pipelines built. */
export const bitbucket: ProblemPlay = {
  nameOf: runName,
  write(problem) {
    const name = repositoryOf(problem);
    const page = `https://bitbucket.org/${COMPANY.slug}/${name}`;
    return json(
      {
        repository: { name, full_name: `${COMPANY.slug}/${name}`, links: { html: { href: page } } },
        actor: { display_name: problem.person },
        commit_status: {
          key: 'pipeline',
          name: `Pipeline of ${name}`,
          state: byState(problem, { firing: 'FAILED', resolved: 'SUCCESSFUL' }),
          refname: branchOf(problem),
          url: `${page}/pipelines/results/${problem.number + problem.reports}`,
          commit: { hash: problem.id, message: commitOf(problem) },
          updated_on: problem.at.toISOString(),
        },
      },
      { 'x-event-key': 'repo:commit_status_updated' },
    );
  },
};

const WORKFLOWS = ['build-and-test', 'deploy', 'nightly'] as const;
const workflowOf = ({ id }: Problem) => WORKFLOWS[Number.parseInt(id.slice(0, 6), 16) % WORKFLOWS.length] ?? 'deploy';

/** CircleCI reports the end of each workflow. */
export const circleci: ProblemPlay = {
  nameOf: (problem) => `${runName(problem)} ${workflowOf(problem)}`,
  write(problem) {
    const name = repositoryOf(problem);
    const slug = `github/${COMPANY.slug}/${name}`;
    return json({
      type: 'workflow-completed',
      id: uuidOf(`${problem.id.slice(0, 29)}${String(problem.reports).padStart(3, '0')}`),
      happened_at: problem.at.toISOString(),
      project: { name, slug },
      workflow: {
        name: workflowOf(problem),
        status: byState(problem, { firing: 'failed', resolved: 'success' }),
        url: `https://app.circleci.com/pipelines/${slug}/${problem.number}`,
      },
      pipeline: { number: problem.number, vcs: { branch: branchOf(problem), commit: { subject: commitOf(problem) } } },
    });
  },
};

/** The Notification plugin of Jenkins. */
export const jenkins: ProblemPlay = {
  nameOf: runName,
  write(problem) {
    const name = repositoryOf(problem);
    const number = (problem.number % 900) + problem.reports;
    return json({
      name,
      url: `job/${name}/`,
      build: {
        full_url: `https://ci.example.org/job/${name}/${number}/`,
        number,
        phase: 'COMPLETED',
        status: byState(problem, { firing: 'FAILURE', resolved: 'SUCCESS' }),
        timestamp: problem.at.getTime(),
        scm: { branch: `origin/${branchOf(problem)}`, commit: problem.id },
      },
    });
  },
};

/** Argo CD in the template of the product's set-up. */
export const argocd: ProblemPlay = {
  nameOf: ({ service, region }) => `${service} ${region}`,
  write: (problem) =>
    json({
      app: `${problem.service}-${problem.region}`,
      namespace: 'argocd',
      project: problem.customer,
      health_status: byState(problem, { firing: 'Degraded', resolved: 'Healthy' }),
      sync_status: 'Synced',
      message: byState(problem, { firing: 'Deployment exceeded its progress deadline', resolved: '' }),
      url: `https://argocd.example.org/applications/${problem.service}-${problem.region}`,
    }),
};

/** The generic provider of Flux. */
export const flux: ProblemPlay = {
  nameOf: ({ service, region }) => `${service} ${region}`,
  write: (problem) =>
    json({
      involvedObject: { kind: 'Kustomization', namespace: problem.region, name: problem.service },
      severity: byState(problem, { firing: 'error', resolved: 'info' }),
      timestamp: problem.at.toISOString(),
      message: byState(problem, { firing: 'health check failed after 30s', resolved: 'Reconciliation finished in 2s' }),
      reason: byState(problem, { firing: 'HealthCheckFailed', resolved: 'ReconciliationSucceeded' }),
      reportingController: 'kustomize-controller',
    }),
};

/** SonarQube after each analysis. */
export const sonarqube: ProblemPlay = {
  nameOf: runName,
  write(problem) {
    const key = repositoryOf(problem);
    const status = byState(problem, { firing: 'ERROR', resolved: 'OK' });
    const page = `https://sonar.example.org/dashboard?id=${key}`;
    return json(
      {
        serverUrl: 'https://sonar.example.org',
        taskId: `${problem.id.slice(0, 16)}${problem.reports}`,
        status: 'SUCCESS',
        analysedAt: problem.at.toISOString(),
        project: { key, name: key, url: page },
        branch: { name: branchOf(problem), url: `${page}&branch=${branchOf(problem)}` },
        qualityGate: {
          name: 'Sonar way',
          status,
          conditions: [{ metric: 'new_coverage', operator: 'LESS_THAN', value: String(problem.number % 80), status }],
        },
      },
      { 'x-sonarqube-project': key },
    );
  },
};

/** Netdata Cloud. */
export const netdata: ProblemPlay = {
  nameOf: machineName,
  write: (problem) =>
    json({
      message: summaryOf(problem),
      alert: problem.trouble.rule,
      chart: 'system.load',
      severity: byState(problem, {
        firing: problem.trouble.severity === 'critical' ? 'critical' : 'warning',
        resolved: 'clear',
      }),
      space: problem.customer,
      host: domainOf(problem),
      date: problem.at.toISOString(),
      alert_url: `https://app.netdata.cloud/spaces/${COMPANY.slug}/alerts/${problem.number}`,
    }),
};

/** An alarm of CloudWatch by way of EventBridge. */
export const eventbridge: ProblemPlay = {
  nameOf: machineName,
  write: (problem) =>
    json({
      version: '0',
      id: uuidOf(`${problem.id.slice(0, 29)}${String(problem.reports).padStart(3, '0')}`),
      'detail-type': 'CloudWatch Alarm State Change',
      source: 'aws.cloudwatch',
      account: '123456789012',
      time: problem.at.toISOString(),
      region: problem.region,
      resources: [`arn:aws:cloudwatch:${problem.region}:123456789012:alarm:${problem.trouble.rule}-${problem.host}`],
      detail: {
        alarmName: `${problem.trouble.rule}-${problem.host}`,
        state: {
          value: byState(problem, { firing: 'ALARM', resolved: 'OK' }),
          reason: `Threshold crossed: ${problem.value} ${problem.trouble.unit}`,
        },
      },
    }),
};

/** An aggregation of Graylog. */
export const graylog: Writer = (random, now) => {
  const host = random.pick(HOSTS);
  const count = random.whole(20, 400);
  return json({
    event_definition_id: '65f0a1b2c3d4e5f60718293a',
    event_definition_title: 'Too many failed logins',
    event: {
      id: random.hex(26).toUpperCase(),
      timestamp: now.toISOString(),
      message: `${count} failed logins on ${host}`,
      priority: random.whole(1, 3),
      fields: { host, customer: COMPANY.name },
    },
    backlog: [],
  });
};

/** A rule of Wazuh that matched. */
export const wazuh: Writer = (random, now) => {
  const agent = random.pick(HOSTS);
  return json({
    timestamp: now.toISOString(),
    rule: { level: random.whole(5, 15), description: 'Multiple authentication failures', id: '5712', groups: ['sshd'] },
    agent: { id: '003', name: agent, labels: { customer: COMPANY.name } },
    id: `${secondsOf(now)}.${random.whole(1_000, 9_999)}`,
    location: '/var/log/auth.log',
  });
};
