import { ownDataRoutes } from './export/own-data-route.ts';
import { muteEndRoutes } from './mutes/mute-ends.ts';
import { memberAccessRoutes } from './sessions/member-access-routes.ts';
import { oidcRoutes } from './oidc/oidc-routes.ts';
import { testAlertRoutes } from './ingest/test-alert-route.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { linkRoutes } from './accounts/link-routes.ts';
import { userRoutes } from './accounts/user-routes.ts';
import { pageExportRoutes } from './export/page-export-route.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { tokenRuleRoutes } from './tokens/token-rule.ts';
import { deliveryRoutes } from './sources/delivery-routes.ts';
import { linkSignInRoutes } from './sessions/link-sign-in.ts';
import { notificationSettingsRoutes } from './notifications/notification-settings-routes.ts';
import { noteRoutes } from './notes/note-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { documentRoutes } from './api-document/document-routes.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { folderRoutes } from './folders/folder-routes.ts';
import { apiKeyRoutes } from './sources/api-key-routes.ts';
import { importRoutes } from './ingest/import-alerts.ts';
import { secondStepEndpoints } from './second-step/second-step-endpoints.ts';
import { firstRunRoutes } from './alerts/first-run.ts';
import { ownSessionRoutes } from './sessions/own-sessions.ts';
import { unsubscribeRoutes } from './mail/unsubscribe.ts';
import { sourceRoutes } from './sources/source-routes.ts';
import { violationRoutes } from './http/violation-reports.ts';
import { sourceMuteRoutes, customerRoutes, alertTypeRoutes } from './mutes/mute-routes.ts';
import { createPasswordCheck } from './accounts/password-check.ts';
import { assignmentRoutes } from './alerts/assignment-routes.ts';
import { createMailMentions } from './mail/mention-mails.ts';
import { productRoutes, healthRoutes, latencyRoutes, metricsRoutes } from './http/server-routes.ts';
import { insightRoutes } from './insight/insight-routes.ts';
import { createSignInThrottle } from './sessions/sign-in-throttle.ts';
import type { SharedCounts } from './cluster/limiter.ts';
import type { AppContext } from './context.ts';
import type { Endpoint } from './endpoint/endpoint.ts';

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
  views: { endpoints: Endpoint[] };
  push: { endpoints: Endpoint[] };
}

/** Every call of the API. */
export function createEndpoints(deps: EndpointDeps): Endpoint[] {
  const { views, push, counts } = deps;
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
    ...auditRoutes(deps),
    ...assignmentRoutes(deps),
    ...alertRoutes(deps),
    ...firstRunRoutes(deps),
    ...insightRoutes(deps),
    ...noteRoutes({ ...deps, mailMentions: createMailMentions(deps, deps.onlineMembers) }),
    ...folderRoutes(deps),
    ...views.endpoints,
    ...customerRoutes(deps),
    ...alertTypeRoutes(deps),
    ...sourceMuteRoutes(deps),
    ...muteEndRoutes(deps),
    ...notificationSettingsRoutes(deps),
    ...unsubscribeRoutes(deps),
    ...push.endpoints,
    ...documentRoutes(() => endpoints),
  ];
  return endpoints;
}
