import { createHmac, randomBytes } from 'node:crypto';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { Complaint } from '#scripts/complaint.ts';
import type { SignedInClient, SourceSecrets } from './signed-in-client.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** How a sender proves who it is. */
interface Authentication {
  /** The scheme in which it signs; its source then requires that. */
  signature?: SignatureScheme;
  /** Puts the credentials of its source where this sender has them. */
  prove: (request: WebhookRequest, secrets: SigningSecrets) => WebhookRequest;
}

type SigningSecrets = SourceSecrets & { signing: string };

const withHeaders = (request: WebhookRequest, headers: Record<string, string>): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

const atToken = (request: WebhookRequest, { token }: SourceSecrets): WebhookRequest => ({
  ...request,
  path: request.path.replace(/^\/webhook/, `/in/${token}`),
});

const basic: Authentication = {
  prove: (request, { key }) =>
    withHeaders(request, { authorization: `Basic ${Buffer.from(`alertdesk:${key}`).toString('base64')}` }),
};

/** For senders that the demo does not know. */
const inHeader: Authentication = { prove: (request, { key }) => withHeaders(request, { 'x-webhook-auth': key }) };

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text);

/** What each sender can do, by its name in its requests. */
const AUTHENTICATION: Readonly<Record<string, Authentication>> = {
  'Prometheus Alertmanager': {
    prove: (request, { key }) => withHeaders(request, { authorization: `Bearer ${key}` }),
  },
  Grafana: basic,
  Datadog: basic,
  'Uptime Kuma': { prove: atToken },
  GitHub: {
    signature: 'github',
    prove: (request, secrets) =>
      withHeaders(atToken(request, secrets), {
        'x-hub-signature-256': `sha256=${hmac(secrets.signing, request.body).digest('hex')}`,
      }),
  },
  Sentry: {
    signature: 'sentry',
    prove: (request, secrets) =>
      withHeaders(atToken(request, secrets), {
        'sentry-hook-signature': hmac(secrets.signing, request.body).digest('hex'),
      }),
  },
  'The shop': {
    signature: 'standard-webhooks',
    prove(request, secrets) {
      const id = `msg_${randomBytes(12).toString('hex')}`;
      const seconds = Math.floor(Date.now() / 1000);
      const key = Buffer.from(secrets.signing.replace(/^whsec_/, ''), 'base64');
      return withHeaders(atToken(request, secrets), {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${hmac(key, `${id}.${seconds}.${request.body}`).digest('base64')}`,
      });
    },
  },
};

/** The demo's own sources, one for each sender that it plays. */
export interface DemoSources {
  /** A request with the credentials of its sender's source, where that sender has them. */
  authenticate(request: WebhookRequest): WebhookRequest;
  /** Deletes the sources, each whatever becomes of the others, and signs out. */
  remove(): Promise<void>;
}

/** Demos of one sender that may run at once. */
const MOST_DEMOS = 50;

/** Makes a source of the sender's name, with a number where other demos run. */
async function createSource(
  client: SignedInClient,
  sender: string,
  signing: string,
): Promise<{ id: string; name: string } & SourceSecrets> {
  const { signature = null } = AUTHENTICATION[sender] ?? inHeader;
  const auth = { ...DEFAULT_SOURCE_SETTINGS.auth, signature };
  for (let number = 1; number <= MOST_DEMOS; number += 1) {
    const name = number === 1 ? `${sender} (demo)` : `${sender} (demo ${number})`;
    const made = await client.createSource({ name, settings: { auth }, ...(signature && { signingSecret: signing }) });
    if (made) return { ...made, name };
  }
  throw new Complaint(`There are ${MOST_DEMOS} sources of other demos already; delete those that have ended.`);
}

/**
 * Makes a source for each of these senders.
 *
 * @throws {Complaint} when the server refuses; what was made by then is removed
 */
export async function createDemoSources(client: SignedInClient, senders: readonly string[]): Promise<DemoSources> {
  const sources = new Map<string, { id: string; name: string; secrets: SigningSecrets }>();
  const remove = async () => {
    for (const source of sources.values()) {
      await client.deleteApiKey(source.id).catch((error: unknown) => {
        if (!(error instanceof Complaint)) throw error;
        console.error(`The demo's source "${source.name}" could not be removed: ${error.message}`);
      });
    }
    await client.signOut().catch((error: unknown) => {
      // Nobody answers: what that leaves behind is said above.
      if (!(error instanceof Complaint)) throw error;
    });
  };
  try {
    for (const sender of senders) {
      const signing = `whsec_${randomBytes(24).toString('base64')}`;
      const { name, id, ...secrets } = await createSource(client, sender, signing);
      sources.set(sender, { id, name, secrets: { ...secrets, signing } });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    authenticate(request) {
      const source = sources.get(request.sender) ?? sources.values().next().value;
      if (!source) throw new Error('The demo has no source.');
      const { prove } = AUTHENTICATION[request.sender] ?? inHeader;
      return prove(request, source.secrets);
    },
    remove,
  };
}
