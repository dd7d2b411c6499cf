import { SENDERS, type Sender } from '#backend/contract/sender.ts';
import type { PlainSecrets, Source } from '#backend/contract/source.ts';
import { addSigningSecret, changeSource, createSource } from '#renderer/features/sources/data/source-commands.ts';
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
 * Creates a source and sets it up: its default customer, and the signature where we make the secret that the sender signs
 * with. Throws an ApiError; a source that was created is then there without what failed.
 */
export async function makeSource({ sender, name, defaultCustomer }: SourceForm): Promise<MadeSource> {
  const created = await createSource({ name, adapter: sender });
  const { id } = created.source;
  const { scheme, signing } = SET_UPS[sender];
  const customer = defaultCustomer.trim();
  let { source } = created;
  if (customer !== '') source = await changeSource(id, { settings: { defaultCustomer: customer } });
  if (signing !== 'ours' || scheme === undefined) return { source, plain: created.plain };
  const secret = newSigningSecret();
  await addSigningSecret(id, secret);
  source = await changeSource(id, { settings: { auth: { ...source.settings.auth, signature: scheme } } });
  return { source, plain: { ...created.plain, signing: secret } };
}

/** The name that a form begins with: the sender's. */
export const suggestedName = (sender: Sender): string => (sender === 'generic' ? '' : SENDERS[sender].name);
