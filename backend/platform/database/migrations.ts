import { CreateCoreTables1763700000000 } from './migrations/1763700000000-create-core-tables.ts';
import { CreateFoldersAndMutes1763800000000 } from './migrations/1763800000000-create-folders-and-mutes.ts';
import { CreateAuditLog1763900000000 } from './migrations/1763900000000-create-audit-log.ts';
import { CreatePushSubscriptions1764000000000 } from './migrations/1764000000000-create-push-subscriptions.ts';
import { CreateAlertCounts1764100000000 } from './migrations/1764100000000-create-alert-counts.ts';
import { CreateNotificationSettings1764200000000 } from './migrations/1764200000000-create-notification-settings.ts';
import { AddFolderOwnerToHistory1764400000000 } from './migrations/1764400000000-add-folder-owner-to-history.ts';
import { PruneAuditAndHistory1764400100000 } from './migrations/1764400100000-prune-audit-and-history.ts';
import { SortNames1764700000000 } from './migrations/1764700000000-sort-names.ts';
import { KeepSourceInAlerts1764800000000 } from './migrations/1764800000000-keep-source-in-alerts.ts';
import { CreateSources1764900000000 } from './migrations/1764900000000-create-sources.ts';
import { KeepProblems1764900100000 } from './migrations/1764900100000-keep-problems.ts';
import { CreateDeliveries1764900200000 } from './migrations/1764900200000-create-deliveries.ts';
import { FilterBySeverityAndSource1764900300000 } from './migrations/1764900300000-filter-by-severity-and-source.ts';
import { OrderBySeverityAndState1764900400000 } from './migrations/1764900400000-order-by-severity-and-state.ts';
import { MuteSources1764900400001 } from './migrations/1764900400001-mute-sources.ts';
import { CreateNotes1764900600000 } from './migrations/1764900600000-create-notes.ts';
import { ShareLoggedRequests1764900700000 } from './migrations/1764900700000-share-logged-requests.ts';
import { AssignAlerts1764900800000 } from './migrations/1764900800000-assign-alerts.ts';
import { SnoozeAlerts1764900900000 } from './migrations/1764900900000-snooze-alerts.ts';
import { CreateSearchSegments1764901000000 } from './migrations/1764901000000-create-search-segments.ts';
import { CreateViews1764901100000 } from './migrations/1764901100000-create-views.ts';
import { ChooseViewNotices1764901150000 } from './migrations/1764901150000-choose-view-notices.ts';
import { EndMutes1764900910000 } from './migrations/1764900910000-end-mutes.ts';
import { CreateInsight1764901200000 } from './migrations/1764901200000-create-insight.ts';
import { SearchNotes1764901300000 } from './migrations/1764901300000-search-notes.ts';
import { IndexNamesForSearch1764901400000 } from './migrations/1764901400000-index-names-for-search.ts';
import { ExpandByLeases1764901500000 } from './migrations/1764901500000-create-leases.ts';
import { ExpandByServers1764901510000 } from './migrations/1764901510000-create-servers.ts';
import { ExpandCountsBySlots1764901600000 } from './migrations/1764901600000-count-in-slots.ts';
import { ExpandByRelayedMessages1764901700000 } from './migrations/1764901700000-relayed-messages.ts';
import { ExpandByArchiveFiles1764901800000 } from './migrations/1764901800000-archive-files.ts';
import { ExpandBySessionDetails1764901900000 } from './migrations/1764901900000-name-sessions.ts';
import { ExpandByAccountLinks1764901910000 } from './migrations/1764901910000-create-account-links.ts';
import { ExpandBySecondStep1764902000000 } from './migrations/1764902000000-create-second-step.ts';
import { ExpandByApiTokens1764902100000 } from './migrations/1764902100000-create-api-tokens.ts';
import { ExpandByIdentities1764902200000 } from './migrations/1764902200000-create-identities.ts';
import { ExpandBySessionAddresses1764902400000 } from './migrations/1764902400000-name-last-addresses.ts';
import { ExpandByClockLooks1764903500000 } from './migrations/1764903500000-keep-clock-looks.ts';
import { ExpandByMailChoices1764902410000 } from './migrations/1764902410000-choose-mails.ts';
import { ExpandByTokenRule1764903200000 } from './migrations/1764903200000-limit-tokens.ts';
import { ExpandByLinkMakers1764903100000 } from './migrations/1764903100000-name-link-makers.ts';
import { ExpandByTokensInAudit1764903900000 } from './migrations/1764903900000-name-tokens-in-audit.ts';
import { ExpandByAuditDetails1764903910000 } from './migrations/1764903910000-details-in-audit.ts';
import { ExpandByReleases1764904000000 } from './migrations/1764904000000-name-releases.ts';
import { ExpandByVersions1764905000000 } from './migrations/1764905000000-count-versions.ts';
import { ExpandByChanges1764905100000 } from './migrations/1764905100000-write-changes-down.ts';
import { ExpandByListOrders1764905220000 } from './migrations/1764905220000-remember-list-orders.ts';
import { ExpandBySourceVersions1764905210000 } from './migrations/1764905210000-count-versions-of-sources.ts';
import { ExpandByNotices1764905300000 } from './migrations/1764905300000-keep-notices.ts';
import { ExpandByCompletionOrder1764905400000 } from './migrations/1764905400000-order-by-completion.ts';
import { ExpandByOpenGroups1764905410000 } from './migrations/1764905410000-remember-open-groups.ts';
import { ExpandByTests1764905960000 } from './migrations/1764905960000-mark-tests.ts';
import { ExpandByLeadsOfIds1764904100000 } from './migrations/1764904100000-keep-leads-of-ids.ts';
import { ExpandByAwaitedReports1764906040000 } from './migrations/1764906040000-await-reports.ts';
import { ExpandByBackfills1764906050000 } from './migrations/1764906050000-note-backfills.ts';
import { ExpandByLevels1764905970000 } from './migrations/1764905970000-choose-levels.ts';
import { ExpandByMailThreads1764906100000 } from './migrations/1764906100000-create-mail-threads.ts';
import { ExpandByOutgoing1764906110000 } from './migrations/1764906110000-send-alerts-out.ts';
import { ExpandByChatAccounts1764906310000 } from './migrations/1764906310000-connect-chat-accounts.ts';
import { ExpandByLiveMessages1764906300000 } from './migrations/1764906300000-keep-live-messages.ts';
import { ExpandByLadders1764906400000 } from './migrations/1764906400000-notify-until-taken.ts';
import { ExpandByGatheredCalls1764906800000 } from './migrations/1764906800000-gather-calls.ts';
import { ExpandByGroups1764907300000 } from './migrations/1764907300000-group-alerts.ts';
import { ExpandByMaintenance1764907100000 } from './migrations/1764907100000-keep-quiet.ts';
import { ExpandByRules1764907200000 } from './migrations/1764907200000-rules.ts';
import { ExpandByNoise1764907400000 } from './migrations/1764907400000-count-noise.ts';
import { ExpandByOwnersOfQuiet1764907410000 } from './migrations/1764907410000-name-owners-of-quiet.ts';
import { ExpandByRhythms1764907500000 } from './migrations/1764907500000-follow-rhythms.ts';
import { ExpandByLabels1764907550000 } from './migrations/1764907550000-label-alerts.ts';
import { ExpandByRemovedBrowsers1764907600000 } from './migrations/1764907600000-remember-removed-browsers.ts';
import { ExpandByDisconnectedChats1764907640000 } from './migrations/1764907640000-forget-no-disconnection.ts';
import { ExpandByReportDues1764907650000 } from './migrations/1764907650000-remember-report-dues.ts';
import { ExpandByDigestChoices1764907658000 } from './migrations/1764907658000-remember-when-digests-were-chosen.ts';
import { ExpandByDeliveryChunks1764907660000 } from './migrations/1764907660000-chunk-deliveries.ts';
import { ExpandBySilences1764906500000 } from './migrations/1764906500000-silence-senders.ts';
import { ExpandByTickets1764906600000 } from './migrations/1764906600000-keep-tickets.ts';
import { ExpandByKindsOfSenders1764906700000 } from './migrations/1764906700000-silence-more-senders.ts';
import { ExpandByHeartbeats1764907000000 } from './migrations/1764907000000-expect-heartbeats.ts';

/** Every migration, oldest first. */
export const migrations = [
  CreateCoreTables1763700000000,
  CreateFoldersAndMutes1763800000000,
  CreateAuditLog1763900000000,
  CreatePushSubscriptions1764000000000,
  CreateAlertCounts1764100000000,
  CreateNotificationSettings1764200000000,
  AddFolderOwnerToHistory1764400000000,
  PruneAuditAndHistory1764400100000,
  SortNames1764700000000,
  KeepSourceInAlerts1764800000000,
  CreateSources1764900000000,
  KeepProblems1764900100000,
  CreateDeliveries1764900200000,
  FilterBySeverityAndSource1764900300000,
  OrderBySeverityAndState1764900400000,
  MuteSources1764900400001,
  CreateNotes1764900600000,
  ShareLoggedRequests1764900700000,
  AssignAlerts1764900800000,
  SnoozeAlerts1764900900000,
  EndMutes1764900910000,
  CreateSearchSegments1764901000000,
  CreateViews1764901100000,
  ChooseViewNotices1764901150000,
  CreateInsight1764901200000,
  SearchNotes1764901300000,
  IndexNamesForSearch1764901400000,
  ExpandByLeases1764901500000,
  ExpandByServers1764901510000,
  ExpandCountsBySlots1764901600000,
  ExpandByRelayedMessages1764901700000,
  ExpandByArchiveFiles1764901800000,
  ExpandBySessionDetails1764901900000,
  ExpandByAccountLinks1764901910000,
  ExpandBySecondStep1764902000000,
  ExpandByApiTokens1764902100000,
  ExpandByIdentities1764902200000,
  ExpandBySessionAddresses1764902400000,
  ExpandByMailChoices1764902410000,
  ExpandByLinkMakers1764903100000,
  ExpandByTokenRule1764903200000,
  ExpandByClockLooks1764903500000,
  ExpandByTokensInAudit1764903900000,
  ExpandByAuditDetails1764903910000,
  ExpandByReleases1764904000000,
  ExpandByLeadsOfIds1764904100000,
  ExpandByVersions1764905000000,
  ExpandByChanges1764905100000,
  ExpandBySourceVersions1764905210000,
  ExpandByListOrders1764905220000,
  ExpandByNotices1764905300000,
  ExpandByCompletionOrder1764905400000,
  ExpandByOpenGroups1764905410000,
  ExpandByTests1764905960000,
  ExpandByLevels1764905970000,
  ExpandByAwaitedReports1764906040000,
  ExpandByBackfills1764906050000,
  ExpandByMailThreads1764906100000,
  ExpandByOutgoing1764906110000,
  ExpandByLiveMessages1764906300000,
  ExpandByChatAccounts1764906310000,
  ExpandByLadders1764906400000,
  ExpandBySilences1764906500000,
  ExpandByTickets1764906600000,
  ExpandByKindsOfSenders1764906700000,
  ExpandByGatheredCalls1764906800000,
  ExpandByHeartbeats1764907000000,
  ExpandByMaintenance1764907100000,
  ExpandByRules1764907200000,
  ExpandByGroups1764907300000,
  ExpandByNoise1764907400000,
  ExpandByOwnersOfQuiet1764907410000,
  ExpandByRhythms1764907500000,
  ExpandByLabels1764907550000,
  ExpandByRemovedBrowsers1764907600000,
  ExpandByDisconnectedChats1764907640000,
  ExpandByReportDues1764907650000,
  ExpandByDigestChoices1764907658000,
  ExpandByDeliveryChunks1764907660000,
];
