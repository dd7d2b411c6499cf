import { type Alert, alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type CalmDeps, calmAll } from '#backend/intake/webhooks/calm-down.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { BUILT_IN_SOURCE, type IncomingDelivery, type IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import type { ProblemPolicy } from '#backend/intake/write/problems.ts';
import { type Arrivals, NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { catchChanges } from './catch-changes.ts';
import { expectTrueCounts } from './expect-true-counts.ts';
import { DEFAULT_POLICY, plainEvent } from './incoming-events.ts';
import { type TestServer, startTestServer } from './test-server.ts';

const MINUTE = 60_000;

/** What decides where problems flap that open more than five times in 30 minutes, and nothing else does. */
export const FLAPPING_ON: Arrivals = {
  ...NOTHING_DECIDES,
  flapping: { terms: () => ({ times: 5, withinMinutes: 30 }) },
};

/** Problems flap as by {@link FLAPPING_ON}, and alerts of the same names are in one group. */
export const GROUPED: Arrivals = { ...FLAPPING_ON, grouping: { active: () => [{ kind: 'names', withinMinutes: 60 }] } };

/** No source says anything about its problems. */
export const NO_SOURCES: CalmDeps['sources'] = { get: () => undefined, all: () => [] };

/** What a test changes of a report of its problem. */
export type Report = Partial<IncomingEvent>;

/** A server with a problem that opens and closes by the minute of a test. */
export type FlappingWorld = Awaited<ReturnType<typeof openFlappingWorld>>;

/** @param given a server that is there already, and that whoever started it ends */
export async function openFlappingWorld(given?: TestServer) {
  const server = given ?? (await startTestServer());
  const admin = await server.signedIn({ role: 'admin' });
  const member = await server.signedIn();
  const start = Date.now();
  let problems = 0;
  let problem = '';

  const eventOf = (report: Report): IncomingEvent => ({
    ...plainEvent({
      payload: jsonText('{"host":"db-7"}'),
      extraData: jsonText('{}'),
      customer: problem,
      alertType: 'Disk',
      url: '/webhook',
    }),
    title: 'Disk full on db-7',
    severity: 'warning',
    state: 'firing',
    dedupKey: problem,
    ...report,
  });
  const deliveryOf = (minute: number, policy: Partial<ProblemPolicy>, ...reports: Report[]): IncomingDelivery => ({
    source: { id: BUILT_IN_SOURCE, name: 'Monitoring', secretId: null },
    policy: { ...DEFAULT_POLICY, completesResolved: true, ...policy },
    isOwn: true,
    receivedAt: start + minute * MINUTE,
    events: reports.map(eventOf),
  });
  /** Ends what is calm at a minute. */
  const calm = (
    minute: number,
    flapping: CalmDeps['flapping'] = FLAPPING_ON.flapping,
    sources: CalmDeps['sources'] = NO_SOURCES,
    database: CalmDeps['database'] = server.database,
  ): Promise<number> =>
    calmAll(
      {
        database,
        logger: createLogger('silent'),
        sources,
        flapping,
        now: () => start + minute * MINUTE,
      },
      new AbortController().signal,
    );

  return {
    server,
    admin,
    member,
    problem: () => problem,
    /** Another problem from here on. */
    nextProblem(): void {
      problem = `problem ${(problems += 1)}`;
    },
    /** When a minute of the test is, as answers say it. */
    timeOf: (minute: number): string => new Date(start + minute * MINUTE).toISOString(),
    deliveryOf,
    calm,
    /** A server that stores reports of a source, with what it announces. */
    writer(arrivals: Arrivals = FLAPPING_ON, policy: Partial<ProblemPolicy> = {}, sourceId = BUILT_IN_SOURCE) {
      const { database, changes } = catchChanges(server.database);
      const write = createBatchWriter(database, NO_ECHOES, arrivals);
      const deliver = async (minute: number, ...reports: Report[]): Promise<void> => {
        const delivery = deliveryOf(minute, policy, ...reports);
        const { outcomes } = await write([{ ...delivery, source: { ...delivery.source, id: sourceId } }]);
        if (outcomes[0]?.kind !== 'written') throw new Error(outcomes[0]?.kind);
      };
      const open = (minute: number, more: Report = {}) => deliver(minute, more);
      const close = (minute: number, more: Report = {}) =>
        deliver(minute, { state: 'resolved', severity: 'none', ...more });
      return {
        deliver,
        open,
        close,
        /** Opens it so many times, a minute each, a minute apart, from a minute on. */
        async flap(times: number, from = 0): Promise<void> {
          for (let time = 0; time < times; time += 1) {
            await open(from + 2 * time);
            await close(from + 2 * time + 1);
          }
        },
        /** What was announced from the change of this number on: why, and whether nobody is notified of it. */
        announced: (since = 0): string[] =>
          changes.slice(since).flatMap((change) => {
            if (change.type === 'new_alert') return [change.quiet ? 'new, quiet' : 'new'];
            return change.type === 'alert_updated' ? [change.reason ?? 'changed'] : [];
          }),
        changes,
      };
    },
    async cards(list = 'inbox', who = admin): Promise<Alert[]> {
      const answer = await who.get(`/api/alerts/${list}?customer=${encodeURIComponent(problem)}`);
      return alertListSchema.parse(await answer.json());
    },
    async card(id = ''): Promise<Alert> {
      return alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());
    },
    async actionsOf(id = ''): Promise<string[]> {
      const answer = await admin.get(`/api/alerts/${id}/history`);
      return historySchema
        .parse(await answer.json())
        .map(({ action }) => action)
        .toReversed();
    },
    async destroy(): Promise<void> {
      await expectTrueCounts(server.database);
      await server.destroy();
    },
  };
}
