import { SENDERS } from '#backend/contract/sender-marks.ts';
import { senderSchema } from '#backend/contract/sender.ts';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { Complaint } from '#scripts/complaint.ts';
import type { Sender } from './senders.ts';
import { type PlayableScheme, type Signer, createSigner } from './sign-request.ts';
import type { SignedInClient, SourceSecrets } from './signed-in-client.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** Puts the credentials of a source where a sender has them. */
type Presents = (request: WebhookRequest, secrets: SourceSecrets) => WebhookRequest;

const withHeaders = (request: WebhookRequest, headers: Record<string, string>): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

const inHeader: Presents = (request, { key }) => withHeaders(request, { 'x-webhook-auth': key });

const bearer: Presents = (request, { key }) => withHeaders(request, { authorization: `Bearer ${key}` });

const basic: Presents = (request, { key }) =>
  withHeaders(request, { authorization: `Basic ${Buffer.from(`alertdesk:${key}`).toString('base64')}` });

const atToken: Presents = (request, { token }) => ({
  ...request,
  path: request.path.replace(/^\/webhook/, `/in/${token}`),
});

/** How a sender proves who it is. */
interface Authentication {
  present: Presents;
  /** The scheme in which it signs; its source then requires that. */
  scheme?: PlayableScheme;
}

/** A sender that signs cannot set a header besides. */
const signed = (scheme: PlayableScheme): Authentication => ({ scheme, present: atToken });

/** What each sender can do. */
const AUTHENTICATION: Readonly<Record<Sender, Authentication>> = {
  // Only Amazon can sign as SNS does. Its users without signatures write user and key into the address, which SNS sends
  // as Basic.
  sns: { present: basic },
  grafana: { present: basic },
  'grafana-legacy': { present: basic },
  'google-cloud': { present: basic },
  alertmanager: { present: bearer },
  'new-relic': { present: bearer },
  cloudevents: { present: bearer },
  datadog: { present: inHeader },
  opsgenie: { present: inHeader },
  zabbix: { present: inHeader },
  generic: { present: inHeader },
  gitlab: { present: (request, { key }) => withHeaders(request, { 'x-gitlab-token': key }) },
  'azure-monitor': { present: atToken },
  bitbucket: { present: atToken },
  circleci: { present: atToken },
  jenkins: { present: atToken },
  flux: { present: atToken },
  sonarqube: { present: atToken },
  graylog: { present: atToken },
  'azure-devops': { present: basic },
  argocd: { present: bearer },
  netdata: { present: bearer },
  eventbridge: { present: inHeader },
  wazuh: { present: inHeader },
  'uptime-kuma': { present: atToken },
  uptimerobot: { present: atToken },
  pingdom: { present: atToken },
  'pagerduty-events': {
    present: (request, { key }) => ({
      ...request,
      path: '/v2/enqueue',
      body: JSON.stringify({ ...JSON.parse(request.body), routing_key: key }),
    }),
  },
  github: signed('github'),
  jira: signed('jira'),
  sentry: signed('sentry'),
  pagerduty: signed('pagerduty'),
  stripe: signed('stripe'),
  shopify: signed('shopify'),
  slack: signed('slack'),
  sendgrid: signed('sendgrid'),
  'standard-webhooks': signed('standard-webhooks'),
};

/** Names of request files are nobody's: they get a key in a header. */
const authenticationOf = (sender: string): Authentication => {
  const known = senderSchema.safeParse(sender);
  return known.success && known.data !== 'email' ? AUTHENTICATION[known.data] : { present: inHeader };
};

/** What the source of a sender is named after. */
export function sourceNameOf(sender: string): string {
  const known = senderSchema.safeParse(sender);
  if (!known.success) return sender;
  return known.data === 'generic' ? 'The shop' : SENDERS[known.data].name;
}

/** The demo's own sources, one for each sender that it plays. */
export interface DemoSources {
  /** A request with the credentials of its sender's source, where that sender has them, signed now. */
  authenticate(request: WebhookRequest): WebhookRequest;
  /** Where emails to the source of a sender go; null where the server receives none. */
  mailAddressOf(sender: string): string | null;
  /** Deletes the sources, each whatever becomes of the others, and signs out. */
  remove(): Promise<void>;
}

interface DemoSource {
  id: string;
  name: string;
  secrets: SourceSecrets;
  present: Presents;
  signer: Signer | undefined;
}

/** Demos of one sender that may run at once. */
const MOST_DEMOS = 50;

/** Calls for making and removing sources that are in flight at once. */
const MOST_CALLS = 8;

/** Makes a source of the sender's name, with a number where other demos run. */
async function createSource(client: SignedInClient, sender: string): Promise<DemoSource> {
  const { scheme, present } = authenticationOf(sender);
  const signer = scheme && createSigner(scheme);
  const auth = { ...DEFAULT_SOURCE_SETTINGS.auth, signature: scheme ?? null };
  for (let number = 1; number <= MOST_DEMOS; number += 1) {
    const name = `${sourceNameOf(sender)} (demo${number === 1 ? '' : ` ${number}`})`;
    const wanted = { name, settings: { auth }, ...(signer && { signingSecret: signer.secret }) };
    const made = await client.createSource(wanted);
    if (made) return { id: made.id, name, secrets: made, present, signer };
  }
  throw new Complaint(`There are ${MOST_DEMOS} sources of other demos already; delete those that have ended.`);
}

/** Does something for each item, some at once, and throws the first error when all calls have ended. */
async function forEach<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const work = async () => {
    for (const item of queue) await act(item);
  };
  const results = await Promise.allSettled(Array.from({ length: MOST_CALLS }, work));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/**
 * Makes a source for each of these senders.
 *
 * @throws {Complaint} when the server refuses; what was made by then is removed
 */
export async function createDemoSources(client: SignedInClient, senders: readonly string[]): Promise<DemoSources> {
  const sources = new Map<string, DemoSource>();
  const remove = async () => {
    await forEach(sources.values(), async ({ id, name }) => {
      await client.deleteApiKey(id).catch((error: unknown) => {
        if (!(error instanceof Complaint)) throw error;
        console.error(`The demo's source "${name}" could not be removed: ${error.message}`);
      });
    });
    await client.signOut().catch((error: unknown) => {
      // Nobody answers: what that leaves behind is said above.
      if (!(error instanceof Complaint)) throw error;
    });
  };
  try {
    await forEach(senders, async (sender) => void sources.set(sender, await createSource(client, sender)));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    authenticate(request) {
      const source = sources.get(request.sender) ?? sources.values().next().value;
      if (!source) throw new Error('The demo has no source.');
      const { secrets, present, signer } = source;
      const presented = present(request, secrets);
      return signer ? withHeaders(presented, signer.sign(presented)) : presented;
    },
    mailAddressOf: (sender) => sources.get(sender)?.secrets.mailAddress ?? null,
    remove,
  };
}
