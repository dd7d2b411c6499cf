import { RuleEntity, RuleHitsEntity } from '#backend/alerts/rules/rule-entities.ts';
import { FlappingRuleEntity } from '#backend/alerts/groups/flapping-rule.ts';
import { AlertGroupEntity, GroupingRuleEntity } from '#backend/alerts/groups/group-entities.ts';
import { OccurrenceEntity, QuietAlertEntity, WindowEntity } from '#backend/alerts/maintenance/window-entities.ts';
import type { StoredEntities } from '#backend/platform/database/open-database.ts';
import { IdentityEntity } from '#backend/identity/oidc/identity.ts';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { MailEntity } from '#backend/platform/mail/mail-queue.ts';
import {
  AlertTypeEntity,
  AlertTypeMuteEntity,
  CustomerEntity,
  CustomerMuteEntity,
  BulkMuteEntity,
  SourceMuteEntity,
} from '#backend/alerts/mutes/mute-entities.ts';
import { ApiTokenEntity } from '#backend/identity/sessions/api-token.ts';
import { TokenRuleEntity } from '#backend/identity/tokens/token-rule.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';

import { FolderEntity } from '#backend/alerts/alert/folder.ts';
import { NoteEntity } from '#backend/alerts/notes/note.ts';
import { NoticeEntity } from '#backend/alerts/notices/notice.ts';
import { MailThreadEntity } from '#backend/intake/mail/mail-threads.ts';
import { DeliveryEntity } from '#backend/intake/write/deliveries.ts';
import { AlertSoundEntity, NotificationSettingsEntity } from '#backend/outgoing/notifications/notification-settings.ts';
import { PushSubscriptionEntity } from '#backend/outgoing/push/push-subscriptions.ts';
import { ChatAccountEntity, DisconnectedChatEntity } from '#backend/outgoing/chat/chat-account.ts';
import { DestinationEntity, OutgoingCountEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import {
  GatheredEntity,
  LadderCallEntity,
  LadderRunEntity,
  LadderStepEntity,
} from '#backend/outgoing/ladders/ladder-entities.ts';
import { CalendarEntity } from '#backend/outgoing/people/calendar-entity.ts';
import { GroupEntity } from '#backend/outgoing/people/group-entity.ts';
import { LiveMessageEntity, MessageEntity } from '#backend/outgoing/messages/message-entity.ts';
import { OutgoingRuleEntity } from '#backend/outgoing/rules/rule-entity.ts';
import { SilenceEntity, SilencingEntity } from '#backend/outgoing/silences/silence-entities.ts';
import { RelayedMessageEntity } from '#backend/platform/cluster/relay.ts';
import { SecretEntity } from '#backend/platform/secrets/secret-store.ts';
import {
  CeremonyEntity,
  PasskeyEntity,
  RecoveryCodeEntity,
  RememberedBrowserEntity,
  SecondStepRuleEntity,
  TotpKeyEntity,
} from '#backend/identity/factors/second-step-entities.ts';
import { ChangeEntity, ChangePlaceEntity, ChangeWriterEntity } from '#backend/platform/feed/feed-tables.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { DeliveryChunkEntity } from '#backend/intake/delivery-log/delivery-chunk.ts';
import { DeliveryRowEntity, SharedRequestEntity } from '#backend/intake/delivery-log/delivery-entity.ts';
import { ViewNoticeEntity, ViewEntity } from '#backend/alerts/views/view.ts';
import { BeatEntity, DowntimeEntity, HeartbeatEntity } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { SourceEntity, SourceSecretEntity } from '#backend/intake/sources/source-entity.ts';

/** Every stored entity, by name: nothing is found by searching folders. */
const entities = [
  AccountLinkEntity,
  AlertGroupEntity,
  GroupingRuleEntity,
  FlappingRuleEntity,
  AlertEntity,
  AlertSoundEntity,
  AlertTypeEntity,
  AlertTypeMuteEntity,
  ApiTokenEntity,
  AuditEntity,
  BeatEntity,
  BulkMuteEntity,
  CeremonyEntity,
  ChatAccountEntity,
  DisconnectedChatEntity,
  CustomerEntity,
  SourceMuteEntity,
  CustomerMuteEntity,
  DeliveryEntity,
  DestinationEntity,
  DowntimeEntity,
  HeartbeatEntity,
  OutgoingCountEntity,
  OutgoingRuleEntity,
  LiveMessageEntity,
  MessageEntity,
  CalendarEntity,
  GroupEntity,
  LadderRunEntity,
  LadderStepEntity,
  LadderCallEntity,
  GatheredEntity,
  FolderEntity,
  HistoryEntity,
  IdentityEntity,
  MailEntity,
  MailThreadEntity,
  DeliveryChunkEntity,
  DeliveryRowEntity,
  NoteEntity,
  NoticeEntity,
  SharedRequestEntity,
  NotificationSettingsEntity,
  PasskeyEntity,
  PushSubscriptionEntity,
  RecoveryCodeEntity,
  RelayedMessageEntity,
  ChangeEntity,
  ChangePlaceEntity,
  ChangeWriterEntity,
  RememberedBrowserEntity,
  SecondStepRuleEntity,
  SecretEntity,
  SessionEntity,
  SourceEntity,
  SourceSecretEntity,
  TotpKeyEntity,
  TokenRuleEntity,
  SilenceEntity,
  SilencingEntity,
  UserEntity,
  ViewEntity,
  ViewNoticeEntity,
  WindowEntity,
  OccurrenceEntity,
  QuietAlertEntity,
  RuleEntity,
  RuleHitsEntity,
];

/** Entities whose key is an id of ours. The history's begins with the alert: see `addHistories`. */
const withIds = [
  AccountLinkEntity,
  ChatAccountEntity,
  MailEntity,
  AlertEntity,
  ApiTokenEntity,
  AuditEntity,
  UserEntity,
  SourceEntity,
  SourceSecretEntity,
  DeliveryChunkEntity,
  DeliveryRowEntity,
  SharedRequestEntity,
  DestinationEntity,
  DowntimeEntity,
  HeartbeatEntity,
  OutgoingRuleEntity,
  MessageEntity,
  CalendarEntity,
  GroupEntity,
  LadderRunEntity,
  GatheredEntity,
  SilenceEntity,
  FolderEntity,
  IdentityEntity,
  NoteEntity,
  NoticeEntity,
  PasskeyEntity,
  PushSubscriptionEntity,
  RememberedBrowserEntity,
  ViewEntity,
  WindowEntity,
  OccurrenceEntity,
  RuleEntity,
];

/** What the product stores: for `openDatabase`. */
export const STORED: StoredEntities = { entities, withIds };
