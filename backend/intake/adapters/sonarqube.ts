import { choice, choose, find, joinFound, linkOf, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';

const LINK = ['branch.url', 'project.url'];
const TIME = choice('changedAt', 'analysedAt');

/** SonarQube's and SonarCloud's webhooks: the status that counts is that of the quality gate, not that of the analysis. */
export const sonarqube: Adapter = {
  sender: 'sonarqube',
  read({ body }) {
    const project = find(body.at(['project', 'key']));
    if (project === undefined) return { drafts: [] };
    const gate = find(body.at(['qualityGate', 'status']));
    const analysis = find(body.get('status'));
    const isBroken = analysis !== undefined && analysis.value !== 'SUCCESS';
    const word = isBroken ? analysis : gate;
    const isBad = isBroken || (gate !== undefined && gate.value !== 'OK');
    const branch = find(body.at(['branch', 'name']));
    const missed = (body.at(['qualityGate', 'conditions'])?.items(MAX_CONDITIONS) ?? []).find(
      (condition) => condition.get('status')?.string === 'ERROR',
    );
    const what = rule(
      isBroken ? 'analysis failed' : isBad ? 'quality gate failed' : 'quality gate passed',
      '',
      word?.path,
    );
    const metric = find(missed?.get('metric'));
    const value = find(missed?.get('value'));
    return {
      drafts: [
        {
          element: body,
          title: joinFound(
            ': ',
            find(body.at(['project', 'name'])) ?? project,
            joinFound(' on ', what, branch),
            isBad
              ? joinFound(' is ', metric && withValue(metric, metric.value.replaceAll('_', ' ')), value)
              : undefined,
          ),
          customer: find(body.at(['project', 'name'])) ?? project,
          alertType: rule(isBroken ? 'analysis' : 'quality gate', 'what SonarQube reports', word?.path),
          severity: isBad && word ? withValue(word, 'high', `${word.value} is high`) : undefined,
          state: word ? withValue(word, isBad ? 'firing' : 'resolved') : rule('event', 'there is no quality gate'),
          dedupKey: word && joinFound(':', project, branch),
          deliveryId: find(body.get('taskId')),
          link: linkOf(...LINK.map((path) => find(body.at(path.split('.'))))),
          at: timeOf(choose(body, TIME)),
        },
      ],
    };
  },
};

const MAX_CONDITIONS = 100;
