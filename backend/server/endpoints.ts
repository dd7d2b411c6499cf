import { configurationRoutes } from '#backend/transfer/configuration/configuration-routes.ts';
import { ownDataRoutes } from '#backend/transfer/export/own-data-route.ts';
import { flappingRoutes } from '#backend/alerts/groups/flapping-routes.ts';
import { groupRoutes } from '#backend/alerts/groups/group-routes.ts';
import { windowRoutes } from '#backend/alerts/maintenance/window-routes.ts';
import { alertRuleRoutes } from '#backend/alerts/rules/rule-routes.ts';
import { databasePlace } from '#backend/alerts/insight/insight.ts';
import { createCountMessages } from '#backend/outgoing/messages/receipts.ts';
import { muteEndRoutes } from '#backend/alerts/mutes/mute-ends.ts';
import { memberAccessRoutes } from '#backend/identity/sessions/member-access-routes.ts';
import { oidcRoutes } from '#backend/identity/oidc/oidc-routes.ts';
import { testAlertRoutes } from '#backend/intake/webhooks/test-alert-route.ts';
import { tokenRoutes } from '#backend/identity/tokens/token-routes.ts';
import { linkRoutes } from '#backend/identity/accounts/link-routes.ts';
import { userRoutes } from '#backend/identity/accounts/user-routes.ts';
import { pageExportRoutes } from '#backend/transfer/export/page-export-route.ts';
import { sessionRoutes } from '#backend/identity/sign-in/session-routes.ts';
import { alertRoutes } from '#backend/alerts/commands/alert-routes.ts';
import { tokenRuleRoutes } from '#backend/identity/tokens/token-rule.ts';
import { deliveryRoutes } from '#backend/intake/webhooks/delivery-routes.ts';
import { linkSignInRoutes } from '#backend/identity/sign-in/link-sign-in.ts';
import { notificationSettingsRoutes } from '#backend/outgoing/notifications/notification-settings-routes.ts';
import { notificationPreviewRoutes } from '#backend/outgoing/notifications/notification-preview.ts';
import { noticeRoutes } from '#backend/alerts/notices/notice-routes.ts';
import { noteRoutes } from '#backend/alerts/notes/note-routes.ts';
import { auditRoutes } from '#backend/identity/audit/audit-routes.ts';
import { documentRoutes } from '#backend/http/api-document/document-routes.ts';
import { accountRoutes } from '#backend/identity/accounts/account-routes.ts';
import { folderRoutes } from '#backend/alerts/folders/folder-routes.ts';
import { apiKeyRoutes } from '#backend/intake/sources/api-key-routes.ts';
import { importRoutes } from '#backend/transfer/import/import-alerts.ts';
import { secondStepEndpoints } from '#backend/identity/second-step/second-step-endpoints.ts';
import { firstRunRoutes } from '#backend/alerts/lists/first-run.ts';
import { ownSessionRoutes } from '#backend/identity/sessions/own-sessions.ts';
import { unsubscribeRoutes } from '#backend/outgoing/mails/unsubscribe.ts';
import { sourceRoutes } from '#backend/intake/sources/source-routes.ts';
import { violationRoutes } from '#backend/http/violation-reports.ts';
import { sourceMuteRoutes, customerRoutes, alertTypeRoutes } from '#backend/alerts/mutes/mute-routes.ts';
import { createPasswordCheck } from '#backend/identity/users/password-check.ts';
import { assignmentRoutes } from '#backend/alerts/commands/assignment-routes.ts';
import { createMailMentions } from '#backend/outgoing/mails/mention-mails.ts';
import { productRoutes, healthRoutes, latencyRoutes, metricsRoutes } from '#backend/http/server-routes.ts';
import { wallboardRoutes } from '#backend/outgoing/wallboard/wallboard-routes.ts';
import { nameRulesOnArrival } from '#backend/alerts/rules/rule-entities.ts';
import { nameRules } from '#backend/outgoing/rules/rule-entity.ts';
import { insightRoutes } from '#backend/alerts/insight/insight-routes.ts';
import { createSignInThrottle } from '#backend/identity/users/sign-in-throttle.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import { changeRoutes } from '#backend/alerts/lists/change-routes.ts';
import { eventText } from '#backend/platform/live/live-frames.ts';
import type { AppContext } from './context.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';

/** What the calls of one server take beside what its modules share. */
interface EndpointDeps extends AppContext {
  isLeaving: Parameters<typeof healthRoutes>[0]['isLeaving'];
  scrape: Parameters<typeof metricsRoutes>[0]['scrape'];
  /** Where servers count attempts together. */
  counts: SharedCounts | undefined;
  servers: Parameters<typeof latencyRoutes>[0]['servers'];
  isKeyInDatabase: Parameters<typeof latencyRoutes>[0]['isKeyInDatabase'];
  onlineMembers: Parameters<typeof assignmentRoutes>[0]['onlineMembers'];
  insight: Parameters<typeof insightRoutes>[0]['insight'];
  feed: Parameters<typeof changeRoutes>[0]['feed'];
  destinations: Parameters<typeof configurationRoutes>[0]['destinations'];
  onNow: Parameters<typeof wallboardRoutes>[0]['onNow'];
  /** Those of parts that were opened with work of their own. */
  ofParts: readonly Endpoint[];
}

/** Every call of the API. */
export function createEndpoints(deps: EndpointDeps): Endpoint[] {
  const { counts } = deps;
  const check = createPasswordCheck(deps, counts);
  const endpoints: Endpoint[] = [
    ...healthRoutes(deps),
    ...productRoutes(deps),
    ...metricsRoutes(deps),
    ...latencyRoutes(deps),
    ...violationRoutes(deps),
    ...sessionRoutes(deps, createSignInThrottle(counts)),
    ...accountRoutes(deps, check),
    ...ownSessionRoutes(deps),
    ...ownDataRoutes(deps, counts),
    ...pageExportRoutes(deps, counts),
    ...secondStepEndpoints(deps, check, counts),
    ...linkSignInRoutes(deps, counts),
    ...oidcRoutes(deps, counts),
    ...userRoutes(deps),
    ...memberAccessRoutes(deps),
    ...linkRoutes(deps),
    ...tokenRoutes(deps),
    ...tokenRuleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...sourceRoutes(deps),
    ...deliveryRoutes(deps),
    ...testAlertRoutes(deps),
    ...importRoutes(deps),
    ...configurationRoutes({ ...deps, clock: deps.heartbeats.clock, arrivals: deps.heartbeats.arrivals }),
    ...auditRoutes(deps),
    ...assignmentRoutes(deps),
    ...alertRoutes(deps),
    ...groupRoutes(deps),
    ...flappingRoutes({
      ...deps,
      countOwnSources: () =>
        [...deps.sources.all()].filter(({ settings }) => settings.flapping !== 'installation').length,
    }),
    ...firstRunRoutes(deps),
    ...changeRoutes({ ...deps, eventText }),
    // Rules on what comes in have hits, too: their names are to be looked up beside these.
    ...insightRoutes({
      ...deps,
      nameRules: async (ids) => ({
        outgoing: await nameRules(deps.database.reads, ids),
        onArrival: await nameRulesOnArrival(deps.database.reads, ids),
      }),
    }),
    ...wallboardRoutes(deps),
    ...noteRoutes({ ...deps, mailMentions: createMailMentions(deps, deps.onlineMembers) }),
    ...noticeRoutes(deps),
    ...windowRoutes({ ...deps, countMessages: createCountMessages(deps.database) }),
    ...alertRuleRoutes({ ...deps, place: databasePlace(deps.config) }),
    ...folderRoutes(deps),
    ...customerRoutes(deps),
    ...alertTypeRoutes(deps),
    ...sourceMuteRoutes(deps),
    ...muteEndRoutes(deps),
    ...notificationSettingsRoutes(deps),
    ...notificationPreviewRoutes(deps),
    ...unsubscribeRoutes(deps),
    ...deps.ofParts,
    ...documentRoutes(() => endpoints),
  ];
  return endpoints;
}
