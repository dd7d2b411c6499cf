import type { Random } from '#scripts/demo/random.ts';
import { type Sender, jsonRequest, secondsBefore } from '#scripts/demo/webhook-request.ts';
import { PEOPLE, SERVICES } from '#scripts/demo/world.ts';

const ORGANIZATION = 'lakeside-works';

const account = (login: string, id: number, type: 'User' | 'Organization') => ({
  login,
  id,
  node_id: Buffer.from(`${type}${id}`).toString('base64'),
  url: `https://api.github.com/users/${login}`,
  html_url: `https://github.com/${login}`,
  type,
  site_admin: false,
});

const repository = (name: string, id: number) => ({
  id,
  name,
  full_name: `${ORGANIZATION}/${name}`,
  private: true,
  owner: account(ORGANIZATION, 8_114_207, 'Organization'),
  html_url: `https://github.com/${ORGANIZATION}/${name}`,
  description: null,
  fork: false,
  url: `https://api.github.com/repos/${ORGANIZATION}/${name}`,
  default_branch: 'main',
});

interface Occasion {
  event: string;
  body: (random: Random, now: Date, repositoryUrl: string) => Record<string, unknown>;
}

const failedJob: Occasion = {
  event: 'workflow_job',
  body: (random, now, repositoryUrl) => {
    const id = random.whole(30_000_000_000, 39_000_000_000);
    const name = random.pick(['unit tests', 'build image', 'deploy to staging', 'lint']);
    const startedAt = secondsBefore(now, random.whole(60, 900));
    return {
      action: 'completed',
      workflow_job: {
        id,
        run_id: random.whole(10_000_000_000, 19_000_000_000),
        run_attempt: 1,
        head_sha: random.hex(40),
        head_branch: random.pick(['main', 'release', 'fix/timeouts']),
        html_url: `${repositoryUrl}/actions/runs/${id}`,
        status: 'completed',
        conclusion: 'failure',
        started_at: startedAt.toISOString(),
        completed_at: now.toISOString(),
        name,
        steps: [
          { name: 'Set up job', status: 'completed', conclusion: 'success', number: 1 },
          { name, status: 'completed', conclusion: 'failure', number: 2 },
        ],
        labels: ['ubuntu-latest'],
        runner_name: `GitHub Actions ${random.whole(2, 60)}`,
        workflow_name: 'CI',
      },
    };
  },
};

const openedIssue: Occasion = {
  event: 'issues',
  body: (random, now, repositoryUrl) => {
    const number = random.whole(120, 2400);
    return {
      action: 'opened',
      issue: {
        html_url: `${repositoryUrl}/issues/${number}`,
        id: random.whole(2_000_000_000, 2_900_000_000),
        number,
        title: random.pick([
          'Invoices show the wrong currency for Swiss customers',
          'Export stops after 10,000 rows',
          'Search finds nothing when the query has an umlaut',
          'Password reset e-mail arrives twice',
        ]),
        user: account(random.pick(PEOPLE), random.whole(1_000, 9_000_000), 'User'),
        labels: [{ id: random.whole(1_000, 9_000), name: 'bug', color: 'd73a4a', default: true }],
        state: 'open',
        locked: false,
        comments: 0,
        created_at: now.toISOString(),
        body: 'Seen by two customers this week. Steps are in the linked ticket.',
      },
    };
  },
};

const vulnerableDependency: Occasion = {
  event: 'dependabot_alert',
  body: (random, now, repositoryUrl) => {
    const number = random.whole(1, 80);
    const severity = random.pick(['low', 'medium', 'high', 'critical']);
    const name = random.pick(['tiny-parser', 'left-margin', 'yaml-quick', 'image-tools']);
    const fixed = `${random.whole(1, 9)}.${random.whole(0, 20)}.${random.whole(1, 9)}`;
    return {
      action: 'created',
      alert: {
        number,
        state: 'open',
        dependency: { package: { ecosystem: 'npm', name }, manifest_path: 'package-lock.json', scope: 'runtime' },
        security_advisory: {
          ghsa_id: `GHSA-${random.hex(4)}-${random.hex(4)}-${random.hex(4)}`,
          summary: `${name} can be made to use all memory by a crafted input`,
          severity,
        },
        security_vulnerability: {
          severity,
          vulnerable_version_range: `< ${fixed}`,
          first_patched_version: { identifier: fixed },
        },
        html_url: `${repositoryUrl}/security/dependabot/${number}`,
        created_at: now.toISOString(),
      },
    };
  },
};

/** GitHub's webhooks: a failed workflow job, a new issue, a vulnerable dependency. */
export const github: Sender = (random, now) => {
  const { event, body } = random.pick([failedJob, failedJob, openedIssue, vulnerableDependency]);
  const repo = repository(`${random.pick(SERVICES)}-service`, random.whole(100_000_000, 900_000_000));
  const payload = {
    ...body(random, now, repo.html_url),
    repository: repo,
    organization: account(ORGANIZATION, 8_114_207, 'Organization'),
    sender: account(random.pick(PEOPLE), random.whole(1_000, 9_000_000), 'User'),
  };
  const delivery = [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');
  return jsonRequest('GitHub', payload, {
    'user-agent': `GitHub-Hookshot/${random.hex(7)}`,
    'x-github-event': event,
    'x-github-delivery': delivery,
  });
};
