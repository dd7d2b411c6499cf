import { matchPath } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';
import * as texts from './texts.ts';

/** The screens' paths. */
export const PATHS = {
  inbox: '/',
  myAlerts: '/my-alerts',
  snoozed: '/snoozed',
  insight: '/insight',
  folder: '/folder/:id',
  allFolders: '/folders',
  view: '/view/:id',
  alert: '/alert/:id',
  settings: '/settings',
  account: '/account',
  admin: '/admin',
  users: '/admin/users',
  allAlerts: '/admin/alerts',
  webhookEndpoint: '/admin/webhook',
  apiKeys: '/admin/api-keys',
  serviceTokens: '/admin/service-tokens',
  audit: '/admin/audit',
  sources: '/admin/sources',
  outgoing: '/admin/outgoing',
  incomingRules: '/admin/rules',
  maintenance: '/maintenance',
  heartbeats: '/heartbeats',
  login: '/login',
  join: '/join',
  resetPassword: '/reset-password',
} as const;

/** The parameter that says which version of a view the rest of its address began with. */
export const VIEW_VERSION = 'v';

/** Everything below the Admin Panel, whether there is a screen or not. */
export const BELOW_ADMIN = '/admin/*';

/** The Admin Panel, which every page of the administration leads back to. */
export const ADMIN_PANEL = { to: PATHS.admin, title: texts.adminPanel } as const;

/** The pages about how alerts come in and what calls the API, which are tabs of each other. */
export const SOURCE_PAGES = [
  { to: PATHS.sources, title: texts.sources },
  { to: PATHS.apiKeys, title: texts.apiKeys },
  { to: PATHS.webhookEndpoint, title: texts.webhookEndpoint },
  { to: PATHS.serviceTokens, title: texts.serviceTokens },
] as const;

/** Roles that may open /admin and see all alerts; everybody else is sent to the inbox. */
export const ADMIN_ROLES: readonly Role[] = ['admin', 'super_user'];

/** Roles that manage users, API keys and the webhook endpoint. */
export const MANAGER_ROLES: readonly Role[] = ['admin'];

/** Every path but those of who is not signed in yet. */
const GUARDED = [
  ...Object.values(PATHS).filter((path) => !/^.(?:login|join|reset)/.test(path)),
  BELOW_ADMIN,
  `${PATHS.heartbeats}/*`,
];

/** Whether a screen behind the sign-in guard lives at this path; any other path shows the 404 card to anybody. */
export function isGuardedPath(pathname: string): boolean {
  return GUARDED.some((path) => matchPath(path, pathname) !== null);
}
