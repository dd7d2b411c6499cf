import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { Sender } from '#backend/contract/sender.ts';
import { DEFAULT_SOURCE_SETTINGS, type PlainSecrets, type Source } from '#backend/contract/source.ts';
import { createSource } from '#renderer/features/sources/data/source-commands.ts';
import { SET_UPS } from '#renderer/features/sources/set-up/set-ups.ts';

/** A new source with its secrets, which nothing else has. */
export interface MadeSource {
  source: Source;
  plain: PlainSecrets & { signing?: string };
}

/** What the form asks for. */
export interface SourceForm {
  sender: Sender;
  name: string;
  defaultCustomer: string;
}

/** A secret to sign with: 256 random bits in letters and digits that every form takes. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Creates a source with all that it needs, in one call: its default customer, and the signature where we make the secret
 * that the sender signs with. Throws an ApiError; then there is no source.
 */
export async function makeSource({ sender, name, defaultCustomer }: SourceForm): Promise<MadeSource> {
  const { scheme, signing } = SET_UPS[sender];
  const customer = defaultCustomer.trim();
  const secret = signing === 'ours' && scheme !== undefined ? newSigningSecret() : undefined;
  const { source, plain } = await createSource({
    name,
    adapter: sender,
    settings: {
      ...(customer !== '' && { defaultCustomer: customer }),
      ...(secret !== undefined && scheme && { auth: { ...DEFAULT_SOURCE_SETTINGS.auth, signature: scheme } }),
    },
    ...(secret !== undefined && { signingSecret: secret }),
  });
  return { source, plain: { ...plain, ...(secret !== undefined && { signing: secret }) } };
}

/** The name that a form begins with: the sender's. */
export const suggestedName = (sender: Sender): string => (sender === 'generic' ? '' : SENDERS[sender].name);
