import { UserEntity } from '#backend/accounts/user-entity.ts';
import { AlertTypeEntity } from '#backend/alert-types/alert-type-entity.ts';
import { AuditEntity } from '#backend/audit/audit-entity.ts';
import { AlertTypeMuteEntity } from '#backend/alert-types/alert-type-mute-entity.ts';
import { AlertEntity } from '#backend/alerts/alert-entity.ts';
import { HistoryEntity } from '#backend/alerts/history-entity.ts';
import { ApiKeyEntity } from '#backend/api-keys/api-key-entity.ts';
import { CustomerEntity } from '#backend/customers/customer-entity.ts';
import { CustomerMuteEntity } from '#backend/customers/customer-mute-entity.ts';
import { FolderEntity } from '#backend/folders/folder-entity.ts';
import { DeliveryEntity } from '#backend/ingest/delivery-entity.ts';
import { AlertSoundEntity } from '#backend/notification-settings/alert-sound-entity.ts';
import { BulkMuteEntity } from '#backend/names/bulk-mute-entity.ts';
import { NotificationSettingsEntity } from '#backend/notification-settings/notification-settings-entity.ts';
import { PushSubscriptionEntity } from '#backend/push/push-subscription-entity.ts';
import { SecretEntity } from '#backend/secrets/secret-entity.ts';
import { SessionEntity } from '#backend/sessions/session-entity.ts';

/** Every stored entity, by name: nothing is found by searching folders. */
export const entities = [
  AlertEntity,
  AlertSoundEntity,
  AlertTypeEntity,
  AlertTypeMuteEntity,
  ApiKeyEntity,
  AuditEntity,
  BulkMuteEntity,
  CustomerEntity,
  CustomerMuteEntity,
  DeliveryEntity,
  FolderEntity,
  HistoryEntity,
  NotificationSettingsEntity,
  PushSubscriptionEntity,
  SecretEntity,
  SessionEntity,
  UserEntity,
];
