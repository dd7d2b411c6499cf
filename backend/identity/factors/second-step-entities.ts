import { EntitySchema } from 'typeorm';
import type { SecondStepRule } from '#backend/contract/second-step.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** The key that a member shares with their authenticator app, one for each member. */
export interface StoredTotpKey {
  userId: string;
  /** The key in base32, encrypted for this member. */
  sealed: string;
  /** The newest time step whose code was accepted: a code is good once. */
  lastStep: number;
  createdAt: number;
}

export const TotpKeyEntity = new EntitySchema<StoredTotpKey>({
  name: 'TotpKey',
  tableName: 'totp_keys',
  columns: {
    userId: primary(idColumn('user_id')),
    sealed: textColumn('sealed', 500),
    // Not a time, but as large a number.
    lastStep: timeColumn('last_step'),
    createdAt: timeColumn('created_at'),
  },
});

/** A recovery code: its SHA-256, and when it was used. */
export interface StoredRecoveryCode {
  userId: string;
  codeHash: string;
  usedAt: number | null;
}

export const RecoveryCodeEntity = new EntitySchema<StoredRecoveryCode>({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: {
    userId: primary(idColumn('user_id')),
    codeHash: primary(textColumn('code_hash', 64)),
    usedAt: nullable(timeColumn('used_at')),
  },
});

/** A passkey: what the server has to know to check what an authenticator signs. */
export interface StoredPasskey {
  id: string;
  userId: string;
  /** SHA-256 of the credential's id, which is too long for an index. */
  credentialHash: string;
  /** The credential's id in base64url. */
  credentialId: string;
  /** Its public key (COSE) in base64url. */
  publicKey: string;
  /** The authenticator's signature counter, 0 where it has none. */
  signCount: number;
  /** How the browser reaches the authenticator, separated by commas. */
  transports: string;
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

export const PasskeyEntity = new EntitySchema<StoredPasskey>({
  name: 'Passkey',
  tableName: 'passkeys',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    credentialHash: textColumn('credential_hash', 64),
    credentialId: longTextColumn('credential_id'),
    publicKey: longTextColumn('public_key'),
    signCount: timeColumn('sign_count'),
    transports: textColumn('transports', 200),
    name: textColumn('name', 60),
    isSynced: { type: 'boolean', name: 'is_synced' },
    createdAt: timeColumn('created_at'),
    lastUsedAt: nullable(timeColumn('last_used_at')),
  },
});

/** A browser that is spared the second step for a while. */
export interface StoredRememberedBrowser {
  id: string;
  userId: string;
  /** SHA-256 of its cookie's 256 random bits. */
  tokenHash: string;
  /** When the member's password had been changed by then: with another password it is no longer remembered. */
  passwordChangedAt: number | null;
  userAgent: string;
  ip: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

export const RememberedBrowserEntity = new EntitySchema<StoredRememberedBrowser>({
  name: 'RememberedBrowser',
  tableName: 'remembered_browsers',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    tokenHash: textColumn('token_hash', 64),
    passwordChangedAt: nullable(timeColumn('password_changed_at')),
    userAgent: textColumn('user_agent', 200),
    ip: textColumn('ip', 64),
    createdAt: timeColumn('created_at'),
    lastUsedAt: timeColumn('last_used_at'),
    expiresAt: timeColumn('expires_at'),
  },
});

/** What a ceremony is for. */
export type CeremonyKind =
  | 'sign_in'
  | 'totp'
  | 'new_passkey'
  | 'passkey_sign_in'
  | 'passkey_second_step'
  | 'proof'
  | 'oidc'
  | 'oidc_app'
  | 'oidc_logout';

/** Something that begins with one request and ends with another, which any server may answer. */
export interface StoredCeremony {
  /** SHA-256 of its token or challenge, so that reading the database does not let anybody end it. */
  id: string;
  kind: CeremonyKind;
  userId: string | null;
  /** The session, or the sign-in, that may end it; null for a sign-in without a password. */
  boundTo: string | null;
  data: string | null;
  /** What is longer, such as an encrypted ID token. */
  details: string | null;
  expiresAt: number;
}

export const CeremonyEntity = new EntitySchema<StoredCeremony>({
  name: 'Ceremony',
  tableName: 'ceremonies',
  columns: {
    id: primary(textColumn('id', 64)),
    kind: textColumn('kind', 32),
    userId: nullable(idColumn('user_id')),
    boundTo: nullable(textColumn('bound_to', 64)),
    data: nullable(textColumn('data', 500)),
    details: nullable(longTextColumn('details')),
    expiresAt: timeColumn('expires_at'),
  },
});

/** Who has to have a second step: one row, for the whole installation. */
export interface StoredSecondStepRule {
  id: number;
  requiredFor: SecondStepRule['requiredFor'];
}

export const SecondStepRuleEntity = new EntitySchema<StoredSecondStepRule>({
  name: 'SecondStepRule',
  tableName: 'second_step_rules',
  columns: { id: { type: 'int', name: 'id', primary: true }, requiredFor: textColumn('required_for', 16) },
});
