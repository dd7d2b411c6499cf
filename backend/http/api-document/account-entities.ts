import type * as z from 'zod/mini';
import {
  accountLinkKindSchema,
  accountLinkSchema,
  accountOptionsSchema,
  forgotPasswordSchema,
  invitationSchema,
  linkLookSchema,
  linkMailSchema,
  linkRequestSchema,
  linkSubjectSchema,
  linkUseSchema,
  newAccountLinkSchema,
} from '#backend/contract/account-link.ts';
import { ownSessionSchema, passwordChangeSchema, profileChangeSchema } from '#backend/contract/account.ts';
import { apiKeySchema, createdApiKeySchema, newApiKeySchema } from '#backend/contract/api-key.ts';
import {
  apiTokenSchema,
  createdApiTokenSchema,
  createdServiceTokenSchema,
  newApiTokenSchema,
  newServiceTokenSchema,
  serviceTokenSchema,
  tokenRuleSchema,
  tokenScopeSchema,
} from '#backend/contract/api-token.ts';
import { auditActionSchema, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { auditQuerySchema } from '#backend/contract/audit-query.ts';
import { pageExportSchema } from '#backend/contract/page-export.ts';
import { memberAccessSchema, userChangeSchema } from '#backend/contract/member-access.ts';
import {
  defaultCredentialsSchema,
  loginSchema,
  roleSchema,
  sessionSchema,
  timeFormatSchema,
} from '#backend/contract/session.ts';
import {
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_LENGTH,
  newUserSchema,
  passwordSchema,
  resetPasswordSchema,
  userSchema,
} from '#backend/contract/user.ts';

/** Schemas by the name that the document gives them, with what they mean. */
export type Entities = Record<string, [schema: z.ZodMiniType, meaning: string]>;

/** Schemas of single fields, with what they mean. */
export type Fields = [schema: z.ZodMiniType, meaning: string][];

/** What the document names of accounts, of how people and programs come in, and of the audit trail. */
export const ACCOUNT_ENTITIES: Entities = {
  Session: [sessionSchema, 'Who is signed in.'],
  TimeFormat: [timeFormatSchema, 'How a member reads times; `system` is as each of their devices is set.'],
  ProfileChange: [profileChangeSchema, 'What is to change of one’s own account; what is absent stays.'],
  PasswordChange: [passwordChangeSchema, 'The password as it is, and as it is to be.'],
  OwnSession: [ownSessionSchema, 'A browser in which the member is signed in.'],
  AccountOptions: [accountOptionsSchema, 'What the sign-in page and User Management offer.'],
  AccountLink: [accountLinkSchema, 'An invitation or a reset link that was not used yet.'],
  AccountLinkKind: [accountLinkKindSchema, 'What a link is for: to make an account, or to give one another password.'],
  LinkMail: [linkMailSchema, 'What became of the mail with a link.'],
  NewAccountLink: [newAccountLinkSchema, 'A link with its address below the server’s, which is never shown again.'],
  Invitation: [invitationSchema, 'Who is to be invited.'],
  LinkRequest: [linkRequestSchema, 'Whether the link is mailed, too.'],
  LinkToken: [linkLookSchema, 'The part of a link’s address after its `#`.'],
  LinkSubject: [linkSubjectSchema, 'Whom a link is for.'],
  LinkUse: [linkUseSchema, 'The token of a link, and the password that its holder chose.'],
  ForgottenPassword: [forgotPasswordSchema, 'Whose password was forgotten.'],
  Role: [roleSchema, 'From least to most, but that `super_user` sees every alert and manages nothing.'],
  Login: [loginSchema, 'Who wants to sign in.'],
  DefaultCredentials: [defaultCredentialsSchema, 'The first administrator’s e-mail and generated password.'],
  User: [userSchema, 'A member, as administrators see them.'],
  MemberAccess: [memberAccessSchema, 'Where a member is signed in, and what acts for them.'],
  UserChange: [userChangeSchema, 'What to change of a member; what is absent stays.'],
  NewUser: [newUserSchema, 'A member to be created.'],
  PasswordReset: [resetPasswordSchema, 'Another password for a member.'],
  TokenScope: [tokenScopeSchema, 'What an API token may do; each scope includes those before it.'],
  ApiToken: [apiTokenSchema, 'An API token as listed, without the token itself.'],
  CreatedApiToken: [createdApiTokenSchema, 'A new API token, with the token itself, which is shown this once.'],
  TokenRule: [tokenRuleSchema, 'For how long API tokens work at most.'],
  NewApiToken: [newApiTokenSchema, 'An API token to make.'],
  ServiceToken: [serviceTokenSchema, 'A service’s token as listed, without the token itself.'],
  CreatedServiceToken: [createdServiceTokenSchema, 'A service’s new token, with the token itself, shown this once.'],
  NewServiceToken: [newServiceTokenSchema, 'A service’s token to make.'],
  ApiKey: [apiKeySchema, 'An API key as listed, without the key itself.'],
  NewApiKey: [newApiKeySchema, 'An API key to be made.'],
  CreatedApiKey: [createdApiKeySchema, 'A new API key with the key itself, which is never shown again.'],
  PageExport: [pageExportSchema, 'What a page exports, as the audit trail has it.'],
  AuditEntry: [auditEntrySchema, 'Something that the audit trail remembers.'],
  AuditAction: [auditActionSchema, 'What the audit trail remembers.'],
};

/** Their fields whose name does not say it all. */
export const ACCOUNT_FIELDS: Fields = [
  [auditQuerySchema.shape.before, 'Where to go on: taken from the `Link` header of the answer before.'],
  [newUserSchema.shape.email, 'An e-mail address that no other member has, in whatever case.'],
  [
    passwordSchema,
    `At least ${MIN_PASSWORD_LENGTH} characters, at most ${MAX_PASSWORD_BYTES} bytes in UTF-8, and none of the 10,000 most common.`,
  ],
  [createdApiKeySchema.shape.plainKey, 'The key: send it in `X-Webhook-Auth`.'],
  [
    auditEntrySchema.shape.actorName,
    'Who did it, as they were called; for a failed sign-in, the e-mail that was tried.',
  ],
  [
    auditEntrySchema.shape.subject,
    'Whom or what it was done to; for a sign-in, by which method: “password and code of an app”, “passkey”, or the name of a provider.',
  ],
  [
    auditEntrySchema.shape.detail,
    'What was changed, or why somebody was kept out; absent where there is nothing to add.',
  ],
  [auditEntrySchema.shape.token, 'The API token by which they acted, as it was called; absent for everybody else.'],
  [auditEntrySchema.shape.ip, 'Null for the server’s own command line.'],
];
