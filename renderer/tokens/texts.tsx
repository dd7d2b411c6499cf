import type { ReactNode } from 'react';

export const untilItIsRevoked = 'Until it is revoked';
export const inboxAndItsOwnAlerts = 'The inbox and its own alerts';
export const everyAlert = 'Every alert';
export const everyAlertAndAdministration = 'Every alert, and administration';
export const failedToCreateToken = 'Failed to create token';
export const newServiceToken = 'New Service Token';
export const newApiToken = 'New API Token';
export const forProgramThatActsUnder = 'For a program that acts under its own name, which histories show.';
export const forProgramThatActsOn =
  'For a program that acts on your behalf. It sees what you see, and histories show your name.';
export const createToken = 'Create Token';
export const escalationBot = 'Escalation bot';
export const nightlyExport = 'Nightly export';
export const scope = 'Scope';
export const sees = 'Sees';
export const validFor = 'Valid for';
export const failedToRevokeToken = 'Failed to revoke token';
export const revokeToken = 'Revoke Token';
export const revoke = 'Revoke';
export const revokeHint = (name: ReactNode, kind: string) => (
  <>
    Programs that use {name} lose access immediately. This cannot be undone.
    {kind === 'service' ? ' Alerts that it works on return to the inbox.' : ''}
  </>
);

export const programsNeedTokenToCall = 'Programs need a token to call the API on your behalf.';
export const programsNeedTokenToCallApi = 'Programs need a token to call the API under their own name.';
export const newToken = 'New Token';
export const tokenCreated = 'Token Created';
export const token = 'token';
export const copyToken = 'Copy token';
export const apiTokens = 'API Tokens';
export const programsCallApiOnYour = 'Programs call the API on your behalf with a token instead of your password.';
export const tokens = 'tokens';
export const noServiceTokensYet = 'No service tokens yet';
export const noTokensYet = (empty: string) => `No tokens yet. ${empty}`;
export const serviceTokens = 'Service tokens';
export const apiTokensList = 'API tokens';
export const everyAlertFact = ' · every alert';
export const revokeTokenButton = 'Revoke token';

export const wallboard = 'Wallboard';
export const readsFiguresOfWallboard = 'Shows the wallboard on a screen, and reads nothing else.';
export const link = 'link';
export const copyLink = 'Copy link';
export const read = 'Read';
export const readsAlertsFoldersViewsAnd = 'Reads alerts, folders, views and statistics.';
export const triage = 'Triage';
export const alsoAcceptsAssignsSnoozesMoves =
  'Also accepts, assigns, snoozes, moves and deletes alerts, and writes notes.';
export const admin = 'Admin';
export const alsoManagesUsersSourcesAnd = 'Also manages users, sources and API keys.';
export const lastUsed = (time: string) => `Last used ${time}`;
export const doesNotExpire = (used: string) => `${used} · does not expire`;
export const oneYear = '1 year';
