import { type Group, type Ladder, type LadderRun, groupSchema, ladderRunListSchema } from '#backend/contract/ladder.ts';
import { outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { noticeListSchema } from '#backend/contract/notice.ts';
import { json } from './outgoing-world.ts';
import type { TestClient } from './test-client.ts';

/** A ladder whose steps notify everybody online, after so many minutes each. */
export const onlineLadder = (minutes: number[], more: Partial<Ladder> = {}): Ladder => ({
  steps: minutes.map((afterMinutes) => ({ afterMinutes, recipients: [{ kind: 'online' }] })),
  repeat: 0,
  isUrgent: false,
  ...more,
});

/** What administrators and members do with ladders, each as one call that succeeds. */
export function ladderWorld(admin: () => TestClient) {
  return {
    async addGroup(memberIds: string[], name = `Group ${crypto.randomUUID()}`): Promise<Group> {
      return groupSchema.parse(await json(admin().send('POST', '/api/outgoing/groups', { name, memberIds }), 201));
    },
    /** A rule with a ladder for alerts of one customer. */
    async addLadder(customer: string, ladder: Ladder) {
      const body = {
        name: `Rule ${crypto.randomUUID()}`,
        search: `customer:"${customer}"`,
        events: ['new'],
        destinationIds: [],
        ladder,
      };
      return outgoingRuleSchema.parse(await json(admin().send('POST', '/api/outgoing/rules', body), 201));
    },
    async runs(alertId: string, as: TestClient = admin()): Promise<LadderRun[]> {
      return ladderRunListSchema.parse(await json(as.get(`/api/alerts/${alertId}/ladders`)));
    },
    /** Takes the next step at once. */
    async skip(alertId: string): Promise<void> {
      const [run] = await this.runs(alertId);
      const position = run?.steps.find(({ state }) => state === 'next')?.position;
      await json(admin().send('POST', `/api/alerts/${alertId}/ladders/${run?.id}/skip`, { position }), 204);
    },
    /** Numbers of the steps that were taken of an alert's newest ladder, the end as "end". */
    async taken(alertId: string): Promise<string[]> {
      const [run] = await this.runs(alertId);
      return (run?.steps ?? [])
        .filter(({ state }) => state === 'done')
        .map(({ round, step }) => `${round}.${step ?? 'end'}`);
    },
  };
}

/** By which alerts a member was called by ladders, the newest first. */
export async function callsOf(member: TestClient): Promise<string[]> {
  const notices = noticeListSchema.parse(await json(member.get('/api/notices')));
  return notices.filter(({ kind }) => kind === 'called').map(({ alert }) => alert.id);
}
