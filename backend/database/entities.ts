import type { StoredEntities } from './open-database.ts';
import { IdentityEntity } from '#backend/oidc/identity.ts';
import { AccountLinkEntity } from '#backend/accounts/account-link.ts';
import { UserEntity } from '#backend/accounts/user.ts';
import { MailEntity } from '#backend/mail/mail-queue.ts';
import {
  AlertTypeEntity,
  AlertTypeMuteEntity,
  CustomerEntity,
  CustomerMuteEntity,
  BulkMuteEntity,
  SourceMuteEntity,
} from '#backend/mutes/mute-entities.ts';
import { ApiTokenEntity } from '#backend/tokens/api-token.ts';
import { TokenRuleEntity } from '#backend/tokens/token-rule.ts';
import { AuditEntity } from '#backend/audit/audit-log.ts';
import { AlertEntity } from '#backend/alerts/alert.ts';
import { HistoryEntity } from '#backend/alerts/history.ts';

import { FolderEntity } from '#backend/folders/folder.ts';
import { NoteEntity } from '#backend/notes/note.ts';
import { DeliveryEntity } from '#backend/ingest/deliveries.ts';
import { AlertSoundEntity, NotificationSettingsEntity } from '#backend/notifications/notification-settings.ts';
import { PushSubscriptionEntity } from '#backend/notifications/push/push-subscriptions.ts';
import { RelayedMessageEntity } from '#backend/cluster/relay.ts';
import { SecretEntity } from '#backend/secrets/secret-store.ts';
import {
  CeremonyEntity,
  PasskeyEntity,
  RecoveryCodeEntity,
  RememberedBrowserEntity,
  SecondStepRuleEntity,
  TotpKeyEntity,
} from '#backend/second-step/second-step-entities.ts';
import { SessionEntity } from '#backend/sessions/session-store.ts';
import { DeliveryRowEntity, SharedRequestEntity } from '#backend/sources/delivery-entity.ts';
import { ViewNoticeEntity, ViewEntity } from '#backend/views/view.ts';
import { SourceEntity, SourceSecretEntity } from '#backend/sources/source-entity.ts';

/** Every stored entity, by name: nothing is found by searching folders. */
const entities = [
  AccountLinkEntity,
  AlertEntity,
  AlertSoundEntity,
  AlertTypeEntity,
  AlertTypeMuteEntity,
  ApiTokenEntity,
  AuditEntity,
  BulkMuteEntity,
  CeremonyEntity,
  CustomerEntity,
  SourceMuteEntity,
  CustomerMuteEntity,
  DeliveryEntity,
  FolderEntity,
  HistoryEntity,
  IdentityEntity,
  MailEntity,
  DeliveryRowEntity,
  NoteEntity,
  SharedRequestEntity,
  NotificationSettingsEntity,
  PasskeyEntity,
  PushSubscriptionEntity,
  RecoveryCodeEntity,
  RelayedMessageEntity,
  RememberedBrowserEntity,
  SecondStepRuleEntity,
  SecretEntity,
  SessionEntity,
  SourceEntity,
  SourceSecretEntity,
  TotpKeyEntity,
  TokenRuleEntity,
  UserEntity,
  ViewEntity,
  ViewNoticeEntity,
];

/** Entities whose key is an id of ours. The history's begins with the alert: see `addHistories`. */
const withIds = [
  AccountLinkEntity,
  MailEntity,
  AlertEntity,
  ApiTokenEntity,
  AuditEntity,
  UserEntity,
  SourceEntity,
  SourceSecretEntity,
  DeliveryRowEntity,
  SharedRequestEntity,
  FolderEntity,
  IdentityEntity,
  NoteEntity,
  PasskeyEntity,
  PushSubscriptionEntity,
  RememberedBrowserEntity,
  ViewEntity,
];

/** What the product stores: for `openDatabase`. */
export const STORED: StoredEntities = { entities, withIds };
