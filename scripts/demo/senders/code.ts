import type { Problem, ProblemPlay } from '#scripts/demo/problems.ts';
import { byState } from '#scripts/demo/problems.ts';
import { type Message, json, secondsBefore, uuid } from '#scripts/demo/webhook-request.ts';
import { COMMITS, COMPANY, PEOPLE, SERVICES, TASKS } from '#scripts/demo/world.ts';

const JOBS = ['unit tests', 'build image', 'deploy to staging', 'lint'] as const;
const BRANCHES = ['main', 'release', 'fix/timeouts'] as const;
const PACKAGES = ['tiny-parser', 'left-margin', 'yaml-quick', 'image-tools'] as const;
const ADVISORY_SEVERITY = ['critical', 'high', 'medium', 'low'] as const;

/** One of the items, the same for the whole life of a problem. */
const ofProblem = <const L extends readonly [unknown, ...unknown[]]>({ number }: Problem, items: L): L[number] =>
  items[number % items.length] ?? items[0];

const numberOf = (names: readonly string[], name: string) => names.indexOf(name) + 1;

const account = (login: string, id: number, type: 'User' | 'Organization') => ({
  login,
  id,
  node_id: Buffer.from(`${type}${id}`).toString('base64'),
  url: `https://api.github.com/users/${login}`,
  html_url: `https://github.com/${login}`,
  type,
  site_admin: false,
});

const ORGANIZATION = account(COMPANY.slug, 8_114_207, 'Organization');

const repositoryOf = ({ service }: Problem) => ({
  id: 500_000_000 + numberOf(SERVICES, service),
  name: `${service}-service`,
  full_name: `${COMPANY.slug}/${service}-service`,
  private: true,
  owner: ORGANIZATION,
  html_url: `https://github.com/${COMPANY.slug}/${service}-service`,
  description: null,
  fork: false,
  url: `https://api.github.com/repos/${COMPANY.slug}/${service}-service`,
  default_branch: 'main',
});

interface Occasion {
  event: string;
  body: (problem: Problem, page: string) => Record<string, unknown>;
}

const failedJob: Occasion = {
  event: 'workflow_job',
  body: (problem, page) => {
    const id = 30_000_000_000 + problem.number;
    const name = ofProblem(problem, JOBS);
    const conclusion = byState(problem, { firing: 'failure', resolved: 'success' });
    return {
      action: 'completed',
      workflow_job: {
        id,
        run_id: 10_000_000_000 + problem.number,
        run_attempt: problem.reports,
        head_sha: problem.id.padEnd(40, '0'),
        head_branch: ofProblem(problem, BRANCHES),
        html_url: `${page}/actions/runs/${id}`,
        status: 'completed',
        conclusion,
        started_at: secondsBefore(problem.at, 60 + (problem.number % 800)).toISOString(),
        completed_at: problem.at.toISOString(),
        name,
        steps: [
          { name: 'Set up job', status: 'completed', conclusion: 'success', number: 1 },
          { name, status: 'completed', conclusion, number: 2 },
        ],
        labels: ['ubuntu-latest'],
        runner_name: `GitHub Actions ${problem.number % 60}`,
        workflow_name: 'CI',
      },
    };
  },
};

const issue: Occasion = {
  event: 'issues',
  body: (problem, page) => ({
    action: byState(problem, { firing: problem.reports === 1 ? 'opened' : 'labeled', resolved: 'closed' }),
    issue: {
      html_url: `${page}/issues/${problem.number % 10_000}`,
      id: 2_000_000_000 + problem.number,
      number: problem.number % 10_000,
      title: ofProblem(problem, TASKS),
      user: account(problem.person, numberOf(PEOPLE, problem.person), 'User'),
      labels: [{ id: 4_711, name: 'bug', color: 'd73a4a', default: true }],
      state: byState(problem, { firing: 'open', resolved: 'closed' }),
      locked: false,
      comments: problem.reports - 1,
      created_at: problem.startedAt.toISOString(),
      updated_at: problem.at.toISOString(),
      body: 'Seen by two customers this week. Steps are in the linked ticket.',
    },
  }),
};

const vulnerableDependency: Occasion = {
  event: 'dependabot_alert',
  body: (problem, page) => {
    const number = problem.number % 80;
    const severity = ofProblem(problem, ADVISORY_SEVERITY);
    const name = ofProblem(problem, PACKAGES);
    return {
      action: byState(problem, { firing: problem.reports === 1 ? 'created' : 'reintroduced', resolved: 'fixed' }),
      alert: {
        number,
        state: byState(problem, { firing: 'open', resolved: 'fixed' }),
        dependency: { package: { ecosystem: 'npm', name }, manifest_path: 'package-lock.json', scope: 'runtime' },
        security_advisory: {
          ghsa_id: `GHSA-${problem.id.slice(0, 4)}-${problem.id.slice(4, 8)}-${problem.id.slice(8, 12)}`,
          summary: `${name} can be made to use all memory by a crafted input`,
          severity,
        },
        security_vulnerability: {
          severity,
          vulnerable_version_range: '< 4.2.1',
          first_patched_version: { identifier: '4.2.1' },
        },
        html_url: `${page}/security/dependabot/${number}`,
        created_at: problem.startedAt.toISOString(),
        updated_at: problem.at.toISOString(),
      },
    };
  },
};

/** GitHub's webhooks: a workflow job, an issue, a vulnerable dependency. */
export const github: ProblemPlay = {
  nameOf: ({ service }) => service,
  write(problem, random) {
    const { event, body } = ofProblem(problem, [failedJob, failedJob, issue, vulnerableDependency]);
    const repository = repositoryOf(problem);
    const payload = {
      ...body(problem, repository.html_url),
      repository,
      organization: ORGANIZATION,
      sender: account(problem.person, numberOf(PEOPLE, problem.person), 'User'),
    };
    return json(payload, {
      'user-agent': `GitHub-Hookshot/${random.hex(7)}`,
      'x-github-event': event,
      'x-github-delivery': uuid(random),
    });
  },
};

/** GitLab writes times in a format of its own. */
const gitlabTime = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function pipeline(problem: Problem, page: string): Record<string, unknown> {
  const status = byState(problem, { firing: 'failed', resolved: 'success' });
  const title = ofProblem(problem, COMMITS);
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: 3_000_000 + problem.number,
      iid: problem.number % 10_000,
      ref: ofProblem(problem, BRANCHES),
      tag: false,
      sha: problem.id.padEnd(40, '0'),
      source: 'push',
      status,
      detailed_status: status,
      stages: ['build', 'test', 'deploy'],
      created_at: gitlabTime(problem.startedAt),
      finished_at: gitlabTime(problem.at),
      duration: 60 + (problem.number % 600),
      url: `${page}/-/pipelines/${3_000_000 + problem.number}`,
    },
    commit: {
      id: problem.id.padEnd(40, '0'),
      message: `${title}\n`,
      title,
      timestamp: problem.startedAt.toISOString(),
      url: `${page}/-/commit/${problem.id.slice(0, 8)}`,
      author: { name: problem.person, email: `${problem.person}@example.org` },
    },
    builds: [],
  };
}

const gitlabIssue = (problem: Problem, page: string): Record<string, unknown> => ({
  object_kind: 'issue',
  event_type: 'issue',
  object_attributes: {
    id: 300_000 + problem.number,
    iid: problem.number % 10_000,
    title: ofProblem(problem, TASKS),
    state: byState(problem, { firing: 'opened', resolved: 'closed' }),
    action: byState(problem, { firing: problem.reports === 1 ? 'open' : 'update', resolved: 'close' }),
    severity: 'unknown',
    url: `${page}/-/issues/${problem.number % 10_000}`,
    created_at: gitlabTime(problem.startedAt),
    updated_at: gitlabTime(problem.at),
  },
  labels: [],
  changes: {},
});

/** GitLab's webhooks: a pipeline, or an issue. */
export const gitlab: ProblemPlay = {
  nameOf: ({ service }) => service,
  write(problem, random): Message {
    const { service, person } = problem;
    const page = `https://gitlab.example.org/${COMPANY.slug}/${service}`;
    const isPipeline = problem.number % 3 > 0;
    const payload = {
      ...(isPipeline ? pipeline(problem, page) : gitlabIssue(problem, page)),
      user: { id: numberOf(PEOPLE, person), name: person, username: person },
      project: {
        id: 1_000 + numberOf(SERVICES, service),
        name: service,
        description: '',
        web_url: page,
        namespace: COMPANY.name,
        path_with_namespace: `${COMPANY.slug}/${service}`,
        default_branch: 'main',
      },
    };
    return json(payload, {
      'user-agent': 'GitLab/17.9.1',
      'x-gitlab-event': isPipeline ? 'Pipeline Hook' : 'Issue Hook',
      'x-gitlab-event-uuid': uuid(random),
      'x-gitlab-instance': 'https://gitlab.example.org',
    });
  },
};
