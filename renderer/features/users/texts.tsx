import type { ReactNode } from 'react';

export const failedToHandOverAlerts = 'Failed to hand over the alerts';
export const disableUser = 'Disable User';
export const hasOpenAlerts = (name: ReactNode, shown: string, openAlerts: number) => (
  <>
    {name} has {shown} open {openAlerts === 1 ? 'alert' : 'alerts'}. Their sessions end immediately.
  </>
);
export const disable = 'Disable';
export const handingOver = 'Handing over...';
export const handOverStopped = 'Hand-over stopped';
export const handedOver = (counted: string, given: number, name: string) =>
  `${counted} ${given === 1 ? 'alert was' : 'alerts were'} handed over. ${name} was not disabled.`;
export const openAlert = 'The open alert';
export const openAlerts = 'The open alerts';
export const returnsToInbox = 'returns to the inbox';
export const returnToInbox = 'return to the inbox';
export const goesToColleague = 'goes to a colleague';
export const goToColleague = 'go to a colleague';
export const to = 'To';
export const peopleCouldNotBeLoaded = (message: string) => `The people could not be loaded. ${message}`;
export const notifiedOnce = 'Notified once.';

export const failedToInvite = 'Failed to invite';
export const invite = 'Invite';
export const inviteHint = 'They open a link, choose their own password, and are signed in.';
export const inviteAtProviderHint = 'They open a link and sign in with a provider. This server has no passwords.';
export const emailLinkToThem = 'Email the link to them';
export const invitation = 'Invitation';
export const resetLink = 'Reset Link';
export const link = 'link';
export const linkHint = (isMailed: boolean, name: ReactNode) => (
  <>
    {isMailed ? 'It is being emailed to ' : 'Send this link to '}
    {name}
    {isMailed ? ', and you can copy it here' : ''}. It works once, expires in 72 hours, and is not shown again.
  </>
);

export const failedToEndAccess = 'Failed to end access';
export const sessionsAndTokens = 'Sessions and tokens';
export const loadingSessionsAndTokens = 'Loading sessions and tokens…';
export const sessions = 'Sessions';
export const signOutEverywhere = 'Sign out everywhere';
export const signedOutEverywhere = 'Signed out everywhere';
export const notSignedInAnywhere = 'Not signed in anywhere.';
export const signedOutOf = (device: string) => `Signed out of ${device}`;
export const apiTokens = 'API tokens';
export const noTokens = 'No tokens.';
export const apiTokenRevoked = 'API token revoked';
export const lastUsedAgo = (time: string) => `Last used ${time}`;
export const fromAddress = (address: ReactNode) => <>from {address}</>;
export const revoke = 'Revoke';

export const ownRoleReason = 'You cannot change your own role. Another administrator can.';
export const breakGlassReason = 'Can only be changed on the server, with npm run user.';
export const saveSignsThemOutEverywhere = 'Save signs them out everywhere and revokes their API tokens.';
export const changingRoleSignsThemOut = 'Changing the role signs them out everywhere and revokes their API tokens.';
export const userUpdated = 'User updated';
export const roleChanged = (role: string) => ` is ${role} now, and was signed out everywhere`;
export const failedToUpdateUser = 'Failed to update user';
export const editUser = 'Edit User';
export const isBreakGlass = (reason: string) => `This is the break-glass administrator. ${reason}`;
export const signInWithThisEmail = (isMe: boolean) => `${isMe ? 'You' : 'They'} sign in with this email.`;

export const resetLinkInText = 'Reset link';
export const pendingLinks = 'Pending links';
export const pendingLinksPanel = 'Pending Links';
export const invitationsAndResetLinksThat = 'Invitations and reset links that have not been used yet.';
export const failedToRenewLink = 'Failed to renew the link';
export const kindsRevoked = (kinds: string) => `${kinds} revoked`;
export const failedToRevokeLink = 'Failed to revoke the link';
export const emailed = ' · Emailed';
export const beingEmailed = ' · Being emailed';
export const emailCouldNotBeSent = 'The email could not be sent: ';
export const sendingEmailAgain = 'Sending the email again: ';
export const renew = 'Renew';
export const ranOut = 'Ran out';
export const untilTime = (time: string) => `Until ${time}`;

export const noOne = 'No one';
export const administratorsAndSuperUsers = 'Administrators and super users';
export const everyone = 'Everyone';
export const twoStepSignInUpdated = 'Two-step sign-in updated';
export const notRequiredForAnyone = 'Not required for anyone';
export const membersWithoutItSetIt =
  'Members without it set it up on their next visit. Their API tokens stop working until then.';
export const failedToUpdateTwoStep = 'Failed to update two-step sign-in';
export const twoStepSignIn = 'Two-step sign-in';
export const twoStepSignInIs = 'Two-step sign-in is required for';

export const twoStepSignInReset = 'Two-step sign-in reset';
export const signsInWithPasswordAlone = (name: string) => `${name} signs in with the password alone now`;
export const failedToResetTwoStep = 'Failed to reset two-step sign-in';
export const resetTwoStepSignIn = 'Reset two-step sign-in';
export const resetTwoStepHint = (name: ReactNode) => (
  <>
    The authenticator app, passkeys and recovery codes of {name} are removed, and they are signed out everywhere. Make
    sure that the request really comes from them.
  </>
);

export const untilTheyAreRevoked = 'until they are revoked';
const someDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;
export const atMostDays = (days: number) => `at most ${someDays(days)}`;
export const apiTokenLifetimeUpdated = 'API token lifetime updated';
export const tokensThatWereShortenedAre = 'Tokens that were shortened are not extended again';
export const tokensThatWouldLastLonger = (maxDays: number) =>
  `Tokens that would last longer now expire in ${someDays(maxDays)}`;
export const failedToUpdateApiToken = 'Failed to update the API token lifetime';
export const apiTokenLifetime = 'API token lifetime';
export const apiTokensWork = 'API tokens work';

export const displayName = 'Display Name';
export const role = 'Role';
export const userCreated = 'User created';
export const canSignInNow = (displayName: string) => `${displayName} can sign in now`;
export const failedToCreateUser = 'Failed to create user';
export const createUser = 'Create User';
export const canSignInAtProvider = (displayName: string) => `${displayName} can sign in with a provider`;
export const createAtProviderHint =
  'They sign in with a provider that knows this email. This server has no passwords: nobody can use the one set here.';
export const createUserHint =
  'They sign in with this email and password. Share the password with them yourself. It is not shown again.';
export const failedToCreateResetLink = 'Failed to create a reset link';
export const orLetThemChooseIt = 'Or let them choose it:';
export const emailResetLink = 'Email a reset link';
export const createResetLink = 'Create a reset link';
export const invalidPassword = 'Invalid password';
export const passwordReset = 'Password reset';
export const wasSignedOutEverywhere = (name: string) => `${name} was signed out everywhere`;
export const failedToResetPassword = 'Failed to reset password';
export const resetPassword = 'Reset Password';
export const resetAtProviderHint = (name: ReactNode) => (
  <>This server has no passwords: {name} can’t sign in with a new one. They are signed out everywhere.</>
);
export const resetPasswordHint = (name: ReactNode) => <>A new password for {name}. They are signed out everywhere.</>;
export const newPassword = 'New Password';

export const userManagement = 'User Management';
export const user = 'user';
export const totalUsers = 'total users';
export const users = 'Users';
export const usersInText = 'users';
export const searchUsers = 'Search users';
export const noUsersMatch = (search: string) => `No users match “${search}”`;
export const usersSearchHint = 'Users are found by their name and their email.';
export const ownAccountReason = 'You cannot disable your own account.';
export const breakGlassHint = (reason: string) => `Keeps access possible when sign-in providers are down. ${reason}`;
export const active = 'Active';
export const disabled = 'Disabled';
export const twoStep = 'Two-step';
export const breakGlass = 'Break-glass';
export const you = 'You';
export const createdTime = (time: ReactNode) => <>Created {time}</>;
export const edit = 'Edit';
export const resetTwoStep = 'Reset two-step';
export const enable = 'Enable';

export const failedToUpdateUserStatus = 'Failed to update user status';
export const userStatusUpdated = 'User status updated';
export const stateChanged = (name: string, isActive: boolean) => `${name} is ${isActive ? 'active again' : 'disabled'}`;
export const usersChanged = (count: number, isActive: boolean) => `${count} users ${isActive ? 'enabled' : 'disabled'}`;
