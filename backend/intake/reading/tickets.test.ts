import { describe, expect, test } from 'vitest';
import { eventOf } from '#tests/support/read-sent.ts';

const vulnerability = (state: string, number = 1) =>
  eventOf(
    {
      object_kind: 'vulnerability',
      object_attributes: {
        url: `https://gitlab.example/nordwind/shop/-/security/vulnerabilities/${number}`,
        title: 'REXML DoS vulnerability',
        state,
        project_id: 50,
        severity: 'high',
      },
    },
    { 'x-gitlab-event': 'Vulnerability Hook' },
  );

describe('a vulnerability that GitLab reports', () => {
  test('is a problem of its severity and project', () => {
    expect(vulnerability('detected')).toMatchObject({
      title: 'REXML DoS vulnerability',
      customer: 'nordwind/shop',
      severity: 'high',
      state: 'firing',
    });
  });

  test.each(['resolved', 'dismissed'])('ends when it is %s', (state) => {
    expect(vulnerability(state)).toMatchObject({ state: 'resolved', dedupKey: vulnerability('confirmed').dedupKey });
    expect(vulnerability(state, 2).dedupKey).not.toBe(vulnerability('confirmed').dedupKey);
  });
});

const incident = (escalationStatus: string, severity = 'critical') =>
  eventOf(
    {
      object_kind: 'issue',
      project: { id: 1, path_with_namespace: 'nordwind/shop' },
      object_attributes: {
        iid: 23,
        title: 'Checkout is down',
        type: 'Incident',
        state: 'opened',
        action: 'update',
        severity,
        escalation_status: escalationStatus,
      },
    },
    { 'x-gitlab-event': 'Issue Hook' },
  );

describe('an incident that GitLab reports', () => {
  test('has its severity, which an issue has not', () => {
    expect(incident('triggered')).toMatchObject({ title: 'Checkout is down', severity: 'critical', state: 'firing' });
    expect(incident('triggered', 'unknown').severity).toBe('none');
  });

  test.each(['acknowledged', 'resolved'])('is %s where its status says so', (status) => {
    expect(incident(status)).toMatchObject({ state: status, dedupKey: incident('triggered').dedupKey });
  });
});

test('a token of GitLab that expires is named with the day', () => {
  const event = eventOf(
    {
      object_kind: 'access_token',
      group: { group_name: 'Nordwind', full_path: 'nordwind' },
      object_attributes: { id: 25, name: 'deploy', expires_at: '2026-04-01' },
      event_name: 'expiring_access_token',
    },
    { 'x-gitlab-event': 'Resource Access Token Hook' },
  );
  expect(event).toMatchObject({ title: 'Access token deploy expires on 2026-04-01', customer: 'nordwind' });
});

test.each([
  ['secret_scanning_alert_location', { action: 'created', alert: { number: 3, secret_type: 'key' }, location: {} }],
  ['sub_issues', { action: 'sub_issue_added', sub_issue: { number: 3, title: 'A', state: 'open' } }],
])('%s of GitHub is a remark, which nothing has to end', (event, body) => {
  const repository = { id: 1, full_name: 'nordwind/shop' };
  expect(eventOf({ ...body, repository }, { 'x-github-event': event }).state).toBe('event');
});

test.each([
  ['Blocker', 'critical'],
  ['Trivial', 'low'],
])('the priority %s of Jira is %s', (name, severity) => {
  const issue = { key: 'A-1', fields: { summary: 'Disk full', priority: { name } } };
  expect(eventOf({ webhookEvent: 'jira:issue_created', issue }).severity).toBe(severity);
});

const slackMessage = (text: string) =>
  eventOf({ user_name: 'mira', team_domain: 'nordwind', text }, { 'x-slack-signature': 'v0=1' });

describe('a message of Slack', () => {
  test('is shown without its markup, and kept with it', () => {
    const { title, payload } = slackMessage('CPU &gt; 90 % on <https://db-7.example|db-7> &amp; *db-8*');
    expect(title).toBe('mira: CPU > 90 % on db-7 & db-8');
    expect(payload).toContain('CPU &gt; 90 % on <https://db-7.example|db-7>');
  });

  test('of several lines is one line, and of a sign alone that sign', () => {
    expect(slackMessage('db-7\nis down').title).toBe('mira: db-7 is down');
    expect(slackMessage('***').title).toBe('mira: ***');
  });
});
