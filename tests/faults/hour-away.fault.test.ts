import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { payloadsOf, standardWebhooksRules, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { startOutgoingServers } from '#tests/support/outgoing-servers.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/**
 * For how much time alerts come while the destinations are away, in seconds, at 20 a second. Time is compressed: they come as
 * fast as they are taken, so there are as many messages as after that time, while attempts and their pauses take the real one.
 * By hand an hour: `AWAY_SECONDS=3600`.
 */
const SECONDS = Number(process.env['AWAY_SECONDS'] ?? 300);
const ALERTS = SECONDS * 20;

/** Requests of senders at once, and of how many alerts one is accepted. */
const AT_ONCE = 16;
const ACCEPTED = 10;

/** Problems with a message in Slack, and how often each is reported again while it is away. */
const PROBLEMS = 15;
const REPORTS = 6;

/** Servers are killed so often while the destinations are away, and once while they catch up. */
const KILLS = 3;

/** So much more memory than at the first quarter a process may have later, in MiB. */
const FLAT_MB = 120;

/** Slack takes a message a second (https://docs.slack.dev/apis/web-api/rate-limits). */
const SLACK_EVERY_MS = 1_000;

const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1] ?? 0) / 1024;

test(
  'destinations that were away for long are sent all that a program counts, in order, and of live messages the newest state',
  async () => {
    const secrets: string[] = [];
    const receiver = await startReceiver(standardWebhooksRules(() => secrets));
    const slack = createSlackService();
    const chat = await startReceiver(slack.rules);
    onTestFinished(async () => void (await Promise.all([receiver.stop(), chat.stop()])));
    const { servers, admin, world, untilAnswered, post, kill } = await startOutgoingServers();
    const made = await world.addDestination({ kind: 'webhook', name: 'Program', url: receiver.url });
    secrets.push(made.signingSecret ?? '');
    const { destination: ops } = await world.addDestination({
      kind: 'slack-bot',
      name: 'Ops',
      url: `${chat.url}/api`,
      token: SLACK_TOKEN,
      room: SLACK_CHANNEL,
    });
    await world.addRule([made.destination.id], { search: 'customer:Flood', events: ['new', 'accepted'] });
    await world.addRule([ops.id], { search: 'customer:Live' });
    const accept = (id: string) =>
      untilAnswered((origin) => admin.at(origin).send('POST', `/api/alerts/${id}/accept`, {}));
    const report = (number: number, time: number) =>
      post({
        customer: 'Live',
        title: `Problem ${number}, report ${time}`,
        severity: 'warning',
        dedupKey: `live-${number}`,
      });
    const problems: string[] = [];
    for (let number = 0; number < PROBLEMS; number += 1) problems.push(await report(number, 0));
    await waitFor(() => expect(slack.messages).toHaveLength(PROBLEMS), { timeout: PROBLEMS * 4_000, interval: 100 });

    receiver.answer({ status: 503 });
    chat.answer({ status: 503 });
    const ids: string[] = [];
    const accepted: string[] = [];
    const memory: number[] = [];
    let done = 0;
    const look = async () => {
      const now = await Promise.all(servers.map(({ pid }) => memoryOf(pid)));
      memory.push(Math.max(...now));
    };
    const sendSome = async (): Promise<void> => {
      while (done < ALERTS) {
        const number = done;
        done += 1;
        const id = await post({ customer: 'Flood', title: `Alert ${number}` });
        ids.push(id);
        if (number % ACCEPTED === 0 && (await accept(id)).status === 200) accepted.push(id);
        if (number % Math.ceil(ALERTS / 20) === 0) await look();
      }
    };
    /** Until this part of the alerts has come. */
    const until = async (part: number): Promise<void> => {
      await waitFor(() => expect(done).toBeGreaterThanOrEqual(ALERTS * part), {
        timeout: ALERTS * 1_000,
        interval: 50,
      });
    };
    const began = performance.now();
    const killing = (async () => {
      for (let count = 1; count <= KILLS; count += 1) {
        await until(count / (KILLS + 1));
        await kill(1, 0);
      }
    })();
    const reporting = (async () => {
      for (let time = 1; time <= REPORTS; time += 1) {
        await until(time / (REPORTS + 1));
        for (let number = 0; number < PROBLEMS; number += 1) await report(number, time);
      }
      for (const id of problems.slice(0, PROBLEMS / 2)) await accept(id);
    })();
    await Promise.all([...Array.from({ length: AT_ONCE }, sendSome), killing, reporting]);
    const awayMs = performance.now() - began;

    const changesBefore = chat.requests.length;
    receiver.answer(undefined);
    chat.answer(undefined);
    const back = performance.now();
    const restarted = kill(1, 3_000);
    const positions = () => {
      const first = new Map<string, number>();
      for (const [at, { type, data }] of payloadsOf(receiver.taken()).entries()) {
        const key = `${data.alert.id} ${type}`;
        if (!first.has(key)) first.set(key, at);
      }
      return first;
    };
    let most = 0;
    await waitFor(
      async () => {
        await look();
        most = receiver.taken().length;
        expect(most).toBeGreaterThanOrEqual(ids.length + accepted.length);
      },
      { timeout: 60_000 + ALERTS * 100, interval: 500 },
    );
    await restarted;
    await waitFor(
      () => {
        const at = positions();
        expect(ids.filter((id) => !at.has(`${id} alert.new`))).toEqual([]);
        expect(accepted.filter((id) => !at.has(`${id} alert.accepted`))).toEqual([]);
      },
      { timeout: 60_000, interval: 500 },
    );
    const caughtUpMs = performance.now() - back;
    const at = positions();
    expect(accepted.filter((id) => at.get(`${id} alert.new`)! > at.get(`${id} alert.accepted`)!)).toEqual([]);
    const taken = receiver.taken().map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(taken).size).toBe(ids.length + accepted.length);

    // Of each problem the last report alone, and who has it.
    const shown = () => slack.messages.map(({ blocks }) => JSON.stringify(blocks));
    await waitFor(
      () => {
        expect(shown().filter((text) => !text.includes(`${REPORTS + 1} times`))).toEqual([]);
        expect(shown().filter((text) => text.includes('Accepted'))).toHaveLength(Math.floor(PROBLEMS / 2));
      },
      { timeout: 60_000 + PROBLEMS * SLACK_EVERY_MS * 2, interval: 200 },
    );
    const changes = chat.requests
      .slice(changesBefore)
      .filter(({ path, status }) => status === 200 && path.endsWith('/chat.update'));
    expect(changes.length).toBeLessThanOrEqual(PROBLEMS + 2);
    expect(slack.tooFast).toEqual([]);
    expect(slack.messages).toHaveLength(PROBLEMS);

    const quarter = memory[Math.floor(memory.length / 8)] ?? 0;
    process.stdout.write(
      `${ids.length} alerts (${(ids.length / 20 / 60).toFixed(0)} min at 20 a second) in ${Math.round(awayMs / 1000)} s, ` +
        `${KILLS + 1} kills of ${servers.length} server(s): ${new Set(taken).size} messages taken, ${taken.length - new Set(taken).size} of them ` +
        `twice, 0 lost, caught up in ${Math.round(caughtUpMs / 1000)} s; ${changes.length} changes of ${PROBLEMS} live messages; ` +
        `memory ${Math.round(quarter)} MiB at first, ${Math.round(Math.max(...memory))} MiB at most\n`,
    );
    expect(Math.max(...memory)).toBeLessThanOrEqual(quarter + FLAT_MB);
  },
  600_000 + ALERTS * 200,
);
