import { type Sender, jsonRequest, secondsBefore } from '#scripts/demo/webhook-request.ts';
import { SERVICES } from '#scripts/demo/world.ts';

const FAILURES = [
  { type: 'TypeError', value: "Cannot read properties of null (reading 'total')", file: 'cart/summary.tsx' },
  { type: 'TimeoutError', value: 'The payment provider did not answer within 8000 ms', file: 'payments/charge.ts' },
  { type: 'RangeError', value: 'Invalid time value', file: 'reports/period.ts' },
  { type: 'DatabaseError', value: 'Deadlock found when trying to get lock', file: 'orders/store.ts' },
] as const;

/** Sentry's issue webhook. */
export const sentry: Sender = (random, now) => {
  const project = random.pick(SERVICES);
  const failure = random.pick(FAILURES);
  const id = String(random.whole(4_000_000_000, 6_900_000_000));
  const firstSeen = secondsBefore(now, random.whole(1, 86_400)).toISOString();
  const body = {
    action: random.pick(['created', 'created', 'unresolved']),
    actor: { id: 'sentry', name: 'Sentry', type: 'application' },
    data: {
      issue: {
        annotations: [],
        assignedTo: null,
        count: String(random.whole(1, 400)),
        culprit: failure.file,
        firstSeen,
        id,
        isPublic: false,
        lastSeen: now.toISOString(),
        level: random.pick(['error', 'error', 'fatal', 'warning']),
        logger: null,
        metadata: { filename: failure.file, type: failure.type, value: failure.value },
        permalink: `https://lakeside-works.sentry.io/issues/${id}/`,
        platform: 'javascript',
        project: { id: String(random.whole(1, 40)), name: project, platform: 'javascript-react', slug: project },
        shortId: `${project.toUpperCase()}-${random.whole(1, 999)}`,
        status: 'unresolved',
        title: `${failure.type}: ${failure.value}`,
        type: 'error',
        userCount: random.whole(1, 60),
      },
    },
    installation: { uuid: [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-') },
  };
  return jsonRequest('Sentry', body, {
    'sentry-hook-resource': 'issue',
    'sentry-hook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'request-id': random.hex(32),
  });
};
