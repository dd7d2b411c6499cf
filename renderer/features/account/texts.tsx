import type { ReactNode } from 'react';

export const myAccount = 'My account';

export const downloadWasInterruptedTryAgain = 'The download was interrupted. Try again.';

export const yourDataWasDownloaded = 'Your data was downloaded';
export const failedToDownloadYourData = 'Failed to download your data';
export const yourData = 'Your data';
export const dataHint =
  'Your account, settings, folders, and views, your alerts with their history, your notes, and your entries in the audit trail, as JSON Lines.';
export const preparing = 'Preparing...';
export const downloadMyData = 'Download my data';

export const passwordChanged = 'Password changed';
export const youWereSignedOutEverywhere = 'You were signed out everywhere else';
export const newPasswordHint = 'Use it the next time you sign in';
export const failedToChangePassword = 'Failed to change the password';
export const alsoRevokeHint = 'Anyone who knew the old password may still have access. Choose what else to revoke.';
export const currentPassword = 'Current Password';
export const newPassword = 'New Password';
export const alsoRevoke = 'Also revoke';
export const signOutEverywhereElseAnd =
  'Sign out everywhere else, and revoke my invitations, reset links and linked chat accounts';
export const signOutEverywhereElse = 'Sign out everywhere else';
export const revokeMyApiToken = 'Revoke my API token';
export const revokeMyTokens = (count: number) => `Revoke my ${count} API tokens`;
export const changing = 'Changing...';
export const changePassword = 'Change Password';

export const failedToChangeDisplayName = 'Failed to change the display name';
export const profile = 'Profile';
export const displayName = 'Display Name';
export const yourColleaguesSeeItOn = 'Your colleagues see it on alerts, in notes, and in histories.';
export const role = 'Role';
export const saving = 'Saving...';

export const signInWithProvider = 'Sign in with a provider';
export const linkProviderToSignIn = 'Link a provider to sign in without your password.';
export const failedToLinkProvider = 'Failed to link the provider';
export const identityUnlinked = (identity: string) => `${identity} unlinked`;
export const failedToUnlinkProvider = 'Failed to unlink the provider';
export const providers = 'Providers';
export const unlink = 'Unlink';
export const unlinkQuestion = (name: string) => `Unlink ${name}?`;
export const unlinkHint =
  'It is the only provider that you sign in with. Unlink it if you know the password of your account. Without one, an administrator has to let you in again.';
export const toLinkItOpenThis = 'To link it, open this page in your browser';
export const notLinked = 'Not linked';
export const link = 'Link';
export const neverUsed = 'never used';
export const lastUsedAgo = (time: string) => `last used ${time}`;

export const signedOutEverywhereElse = 'Signed out everywhere else';
export const signedOutOf = (device: string) => `Signed out of ${device}`;
export const failedToSignOut = 'Failed to sign out';
export const sessions = 'Sessions';
export const sessionsHint = (link: (text: string) => ReactNode) => (
  <>Browsers where you are signed in. Those that receive push notifications are listed in {link('Settings')}.</>
);
export const signedIn = 'Signed in';
export const lastUsed = 'Last used';
export const fromAddress = (address: ReactNode) => <>from {address}</>;

export const system = 'System';
export const failedToChangeTimeFormat = 'Failed to change the time format';
export const times = 'Times';
export const itIsNow = (now: string) => `It is now ${now}.`;
export const format = 'Format';
export const thisDevices = (deviceZone: string) => `This device’s (${deviceZone})`;
