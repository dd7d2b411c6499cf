import type { SignatureScheme } from '#backend/contract/sender.ts';

/** How a sender is set up, in its own words. Texts hold placeholders (`fill-in.ts`), **bold** names and `code`. */
export interface SetUp {
  /** How it authenticates, in a few words. */
  ways: string;
  /** What a new source of it is given. */
  created: string;
  /** Its documentation of webhooks. */
  docs?: string;
  tabs: readonly SetUpTab[];
  /** Where it posts, if not to `/webhook` or an address with a token. */
  path?: '/v2/enqueue' | '/v2/alerts';
  /** Why nothing may have been sent yet. */
  waits?: string;
  /** The scheme in which it signs its requests. */
  scheme?: SignatureScheme;
  /** Who makes the secret that it signs with: we, or the sender, which shows it. */
  signing?: 'ours' | 'theirs';
}

/** One form of the set-up: text to copy, or steps in the sender's pages. */
export interface SetUpTab {
  label: string;
  intro?: string;
  code?: { language: 'yaml' | 'json' | 'plain'; text: string };
  steps?: readonly SetUpStep[];
}

export interface SetUpStep {
  text: string;
  /** A form to fill in: name of the field, value, and a note. */
  fields?: readonly { name: string; value: string; note?: string }[];
  /** Text for a large field. */
  code?: { language: 'json' | 'plain'; text: string };
  /** What to choose. */
  tags?: readonly string[];
  /** Here the sender shows its signing secret, which is to be entered on our side. */
  asksForSigning?: true;
  /** Here a key that senders have already may be entered. */
  asksForKey?: true;
}

const KEY_CREATED = 'An API key that {sender} sends in the `Authorization` header';
const HEADER_CREATED = 'An API key that {sender} sends in a header';
const ADDRESS_CREATED = 'An address that contains a token, for {sender} only';
const SIGNED_CREATED = 'An address for {sender}, and a field for its signing secret';

export const CURL_TAB: SetUpTab = {
  label: 'curl',
  intro: 'Paste it into a shell. The response is 202 with the ID of the alert.',
  code: {
    language: 'plain',
    text: [
      'curl -i {w} \\',
      "  -H 'X-Webhook-Auth: {s}' \\",
      "  -H 'Content-Type: application/json' \\",
      '  -d \'{"title":"Card issuer declined","customer":"Harbor & Finch","severity":"high"}\'',
    ].join('\n'),
  },
};

/** A set-up that is a form: where it is, its fields, and what comes after. */
export const formTab = (label: string, ...steps: readonly SetUpStep[]): SetUpTab => ({ label, steps });

export const keySetUp = (setUp: Omit<SetUp, 'ways' | 'created'> & Partial<SetUp>): SetUp => ({
  ways: 'Key',
  created: HEADER_CREATED,
  ...setUp,
});

export const bearerSetUp = (setUp: Omit<SetUp, 'ways' | 'created'> & Partial<SetUp>): SetUp => ({
  ways: 'Key',
  created: KEY_CREATED,
  ...setUp,
});

export const addressSetUp = (setUp: Omit<SetUp, 'ways' | 'created'>): SetUp => ({
  ways: 'Address',
  created: ADDRESS_CREATED,
  ...setUp,
});

/** Signed with a secret that the sender makes and shows. */
export const signedSetUp = (setUp: Omit<SetUp, 'ways' | 'created' | 'signing'>): SetUp => ({
  ways: 'Signed',
  created: SIGNED_CREATED,
  signing: 'theirs',
  ...setUp,
});

/** The step that takes the sender's signing secret over. */
export const signingStep = (text: string): SetUpStep => ({ text, asksForSigning: true });
