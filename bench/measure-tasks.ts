import { type Browser, type Page, chromium } from '@playwright/test';
import { type AppServer, startAppServer } from '#tests/e2e/support/app-server.ts';
import { connected, toast } from '#tests/e2e/support/screen.ts';
import { ensureBrowser } from '#tests/support/browser.ts';
import { answerWhole, openInbox, readWhole } from './inbox-page.ts';
import { median } from './measurement.ts';
import type { Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';

const LOADED = 10_000;
const ACCEPTED = 5_000;
const IN_A_FRAME = 100;
const FOLDERS = 500;

/** A task longer than this delays what somebody does next (web.dev, "Optimize long tasks"), in milliseconds. */
const LONG_TASK_MS = 50;

/** How much slower the processor of a page is, and the longest task that may be. */
const SPEEDS = [
  { slowdown: 1, required: LONG_TASK_MS },
  { slowdown: 4, required: 2 * LONG_TASK_MS },
] as const;

/** Something that a page does, on an inbox of its own. */
interface Scene {
  name: string;
  /** How many alerts the inbox has loaded. */
  loaded: number;
  /** What is done before the measurement. */
  prepare?: (page: Page) => Promise<void>;
  run: (app: AppServer, page: Page) => Promise<void>;
}

/** The number of alerts in the inbox, as the page's title says, in the page. */
const TITLE_COUNT = 'Number(/\\((\\d+)\\)/.exec(document.title)?.[1] ?? 0)';

/** Sends something, and waits until the page's title counts so many more alerts. */
async function arrive(page: Page, count: number, send: () => Promise<unknown>): Promise<void> {
  const before = await page.evaluate<number>(TITLE_COUNT);
  await send();
  await page.evaluate(`new Promise((resolve) => {
    const look = () => ${TITLE_COUNT} < ${before + count} ? requestAnimationFrame(look) : resolve();
    look();
  })`);
  await painted(page);
}

/** Resolves when what changed is painted and what waits for an idle page was done. */
const painted = (page: Page): Promise<void> =>
  page.evaluate<undefined>(
    'new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve(undefined))))',
  );

/** Resolves when what is fetched after the first screen is there: its styles have the whole page styled again, in a long task. */
async function fetchedWhole(page: Page): Promise<void> {
  await page.getByRole('switch', { name: /^Notifications/ }).waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}

let deliveries = 0;

/** A delivery of Alertmanager's with so many alerts: they are written in one transaction, and so come in one frame. */
function deliveryOf(count: number): object {
  deliveries += 1;
  const alerts = Array.from({ length: count }, (_, number) => ({
    status: 'firing',
    labels: { alertname: 'QueueTooLong', severity: 'warning', instance: `worker-${deliveries}-${number}.example.com` },
    annotations: { summary: `Queue of worker ${number} is longer than usual` },
    startsAt: new Date().toISOString(),
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'https://prometheus.example.com/graph',
    fingerprint: `${deliveries}-${number}`,
  }));
  return { version: '4', status: 'firing', receiver: 'bench', groupLabels: {}, commonLabels: {}, alerts };
}

const SCENES: readonly Scene[] = [
  {
    name: `accept of ${ACCEPTED} loaded alerts`,
    loaded: ACCEPTED,
    async prepare(page) {
      await page.locator('article').first().focus();
      await page.keyboard.press('Control+a');
      await page.getByRole('toolbar').getByRole('button', { name: 'Accept', exact: true }).waitFor();
    },
    async run(_app, page) {
      await page.keyboard.press('a');
      await toast(page).filter({ hasText: 'accepted' }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: `a frame of ${IN_A_FRAME} alerts, ${LOADED} loaded`,
    loaded: LOADED,
    async run(app, page) {
      await arrive(page, IN_A_FRAME, () => app.post(deliveryOf(IN_A_FRAME)));
    },
  },
  {
    name: `an arrival with ${FOLDERS} folders`,
    loaded: 100,
    async run(app, page) {
      await arrive(page, 1, () => app.post({ customer: 'Orchard Foods', message: 'Queue is longer than usual' }));
    },
  },
];

/**
 * The longest task of the page's main thread while somebody accepts thousands of alerts, many arrive at once, or one arrives
 * beside many folders: at this processor's speed and at a quarter of it. On the embedded database.
 */
export const benchTasks: Part = async (_databases, { rounds }, report) => {
  const executablePath = await ensureBrowser();
  const app = await startAppServer();
  // Chromium refuses to run sandboxed as root.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    await addFolders(app);
    const results = [];
    for (const scene of SCENES) {
      for (const { slowdown, required } of SPEEDS) {
        const taken: LongestTask[] = [];
        for (let round = 0; round <= rounds; round += 1) {
          const longest = await play(browser, app, scene, slowdown);
          // In the first round nothing has been compiled.
          if (round === 0) continue;
          taken.push(longest);
          report(
            `${scene.name}, ${slowdown} × slower: ${longest.processor.toFixed(0)} ms of its processor, ${longest.elapsed.toFixed(0)} ms by the clock`,
          );
        }
        results.push({ scene: scene.name, slowdown, required, taken });
      }
    }
    const rows = results.map(({ scene, slowdown, required, taken }) => {
      const name = `longest task: ${scene}${slowdown > 1 ? `, ${slowdown} × slower` : ''}`;
      const target: Target = { name, unit: 'ms', required, goal: LONG_TASK_MS, isAtLeast: false };
      return verdictRow('browser', judge(target, median(taken.map(({ processor }) => processor))));
    });
    return { rows, results };
  } finally {
    await browser.close();
    await app.dispose();
  }
};

async function addFolders(app: AppServer): Promise<void> {
  for (let number = 0; number < FOLDERS; number += 1) {
    const created = await app.admin.request('POST', '/api/folders', { name: `Folder ${number}`, color: 'blue' });
    if (!created.ok) throw new Error(`A folder was answered with ${created.status}: ${await created.text()}`);
  }
}

async function play(browser: Browser, app: AppServer, scene: Scene, slowdown: number): Promise<LongestTask> {
  const had = (await readWhole(app)).length;
  for (let number = had; number < scene.loaded; number += IN_A_FRAME) await app.post(deliveryOf(IN_A_FRAME));
  const alerts = (await readWhole(app)).slice(0, scene.loaded);
  const page = await openInbox(browser, app, (one) => answerWhole(one, alerts));
  try {
    await connected(page);
    await fetchedWhole(page);
    await scene.prepare?.(page);
    await painted(page);
    return await longestTask(browser, page, slowdown, () => scene.run(app, page));
  } finally {
    await page.context().close();
  }
}

/** The longest task of a page's main thread while something happened, in milliseconds. */
interface LongestTask {
  /** By the clock, as somebody at the page feels it. */
  elapsed: number;
  /** By the processor time of its thread. */
  processor: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Categories of Chromium's traces with the event loop's tasks and the names of threads. */
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'];

/** Does something, and reads from the browser's trace what the longest task of the page was meanwhile. */
async function longestTask(
  browser: Browser,
  page: Page,
  slowdown: number,
  work: () => Promise<void>,
): Promise<LongestTask> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const trace = (await browser.stopTracing()).toString('utf8');
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && threads.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page.');
  return {
    elapsed: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
    processor: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
  };
}
