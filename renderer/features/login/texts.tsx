import type { ReactNode } from 'react';

export const firstTimeHereServerPrinted =
  'First time here? The server printed the administrator’s email and password when it first started.';
export const defaultAdministrator = 'Default administrator';
export const copyEmail = 'Copy email';
export const copyPassword = 'Copy password';

export const checkYourEmail = 'Check your email';
export const ifThereIsAccountWith =
  'If there is an account with this email, a link to choose a new password is on its way.';
export const failedToRequestLink = 'Failed to request a link';
export const forgotPassword = 'Forgot password?';

export const newPassword = 'New password';
export const join = (product: string) => `Join ${product}`;
export const loading = 'Loading...';
export const goToSignInPage = 'Go to the sign-in page';
export const loginFailed = 'Login failed';
export const yourPasswordWasChangedSign = 'Your password was changed. Sign in with it.';
export const failedToSetPassword = 'Failed to set the password';
export const welcome = (isInvitation: boolean, name: ReactNode, hasPasswords: boolean, email: ReactNode) => (
  <>
    {isInvitation ? 'Welcome' : 'Hello'}, {name}. {hasPasswords ? 'Choose a password for' : 'Sign in for'} {email}.
  </>
);
export const newPasswordSignsYouOut = 'A new password signs you out everywhere. Sign in with it afterward.';
export const youAreSignedInAs = (name: ReactNode) => (
  <>You are signed in as {name} in this browser. The new account replaces it here.</>
);
export const saving = 'Saving...';
export const createAccount = 'Create account';
export const setNewPassword = 'Set new password';
export const signInWith = (name: string) => `Sign in with ${name}`;
export const thisLinkWorksOnceUntil = (time: ReactNode) => <>This link works once, until {time}.</>;

export const administratorEndedYourSession = 'An administrator ended your session.';
export const administratorSignIn = 'Administrator sign-in';

export const hidePassword = 'Hide password';
export const showPassword = 'Show password';
export const signingIn = 'Signing in...';
export const signIn = 'Sign In';
export const waitingForYourPasskey = 'Waiting for your passkey...';
export const signInWithPasskey = 'Sign in with a passkey';

export const otherWaysToSignIn = 'Other ways to sign in';
export const updateDesktopAppToSign = 'Update the desktop app to sign in with a provider.';
export const continueInYourBrowserIt = 'Continue in your browser. It opens this app again when you have signed in.';
export const openBrowserAgain = 'Open the browser again';

export const yourProvider = 'your provider';
export const signInLower = 'Sign in';
export const redirectingTo = (name: string) => `Redirecting to ${name}...`;
export const isLinkedToYourAccount = (name: string) => `${name} is linked to your account`;
export const identityConfirmed = 'Identity confirmed';
export const identityConfirmedYouCanClose = 'Identity confirmed. You can close this tab and continue in the other one.';
export const signInToDesktopApp = (product: string, account: ReactNode) => (
  <>
    Sign in to the {product} desktop app on this computer as {account}? Continue only if you just started this sign-in
    there.
  </>
);
export const openApp = 'Open the app';
export const youCanCloseThisPage = 'You can close this page when the app is open.';
export const backToMyAccount = 'Back to My account';

export const withCodeFromApp = 'Use a code from the app';
export const withRecoveryCode = 'Use a recovery code';
export const secondStep = 'Second step';
export const yourDeviceAsksForYour = 'Your device asks for your fingerprint, face, PIN, or security key.';
export const codeFromYourAuthenticatorApp = 'Code from your authenticator app';
export const recoveryCode = 'Recovery code';
export const sixDigits = 'Six digits';
export const rememberThisBrowserForDays = (rememberedDays: number) =>
  `Remember this browser for ${rememberedDays} days`;
export const continueLabel = 'Continue';
export const backToPassword = 'Back to password';

export const loginSuccessful = 'Login successful';
export const invalidEmailOrPassword = 'Invalid email or password';
