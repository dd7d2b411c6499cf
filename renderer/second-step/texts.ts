export const passkeysRequireHttps = 'Passkeys require HTTPS.';
export const passkeysRequireHostNameAnd = 'Passkeys require a host name, and this page was opened by an IP address.';
export const thisBrowserDoesNotSupport = 'This browser does not support passkeys.';
export const desktopAppDoesNotSupport = 'The desktop app does not support passkeys on this system.';
export const noPasskeyWasUsedIt = 'No passkey was used: it was canceled or took too long.';
export const thisDeviceAlreadyHasPasskey = 'This device already has a passkey for you.';
export const thisBrowserDoesNotAllow = 'This browser does not allow passkeys for this address.';

export const failedToAddPasskey = 'Failed to add the passkey';
export const addPasskey = 'Add a passkey';
export const yourDeviceAsksForYour =
  'Your device asks for your fingerprint, face, PIN, or security key. With a passkey, you need no password.';
export const continueLabel = 'Continue';
export const waitingForYourDevice = 'Waiting for your device...';
export const toRecognizeItInList = 'To recognize it in the list, such as Work laptop';
export const failedToRenamePasskey = 'Failed to rename the passkey';
export const renamePasskey = 'Rename passkey';
export const rename = 'Rename';

export const notConfirmed = 'Not confirmed';
export const confirmYourIdentity = 'Confirm your identity';
export const thisAffectsWhoCanSign =
  'This affects who can sign in, or shows personal data. You are not asked again for ten minutes.';
export const confirm = 'Confirm';
export const signInWithAgainInstead = (providerName: string) => `Sign in with ${providerName} again instead`;
export const signInOnTabThat = 'Sign in on the tab that was opened. This page then continues automatically.';
export const ifYouHaveNoPassword = 'If you have no password, sign out and sign in again. That counts for ten minutes.';
export const passkeyInstead = 'Use a passkey instead';

export const partOfAppCouldNot = 'Part of the app could not be loaded. Reload the page and try again.';

export const saveYourRecoveryCodes = 'Save your recovery codes';
export const eachCodeWorksOnceIn =
  'Each code works once, in case you lose your phone or security key. They are not shown again.';
export const recoveryCodes = 'Recovery codes';
export const copyAll = 'Copy all';
export const download = 'Download';
export const youHaveNotSavedRecovery = 'You have not saved the recovery codes. They are not shown again.';
export const iHaveSavedTheseCodes = 'I have saved these codes in a safe place';

export const twoStepSignInAnd = 'Two-step sign-in and passkeys';
export const withSecondStepYourPassword =
  'With a second step, your password alone is not enough to sign in. A passkey signs you in without a password.';
export const twoStepSignIn = 'Two-step sign-in';
export const yourAdministratorRequiresSecondStep = 'Your administrator requires a second step for your account.';
export const secondSteps = 'Second steps';
export const authenticatorApp = 'Authenticator app';
export const notSetUp = 'Not set up';
export const setUpOn = (time: string) => `Set up on ${time}`;
export const setUp = 'Set up';
export const replace = 'Replace';
export const authenticatorAppRemoved = 'Authenticator app removed';
export const passkey = 'Passkey';
export const passkeyRemoved = 'Passkey removed';
export const authenticatorAppInstead = (trouble: string) => `${trouble} Use an authenticator app.`;
export const yourFingerprintFacePinOr = 'Your fingerprint, face, PIN, or security key';
export const leftEachWorksOnce = (recoveryCodesLeft: number) => `${recoveryCodesLeft} left, each works once`;
export const newCodes = 'New codes';
export const rememberedBrowsers = 'Remembered browsers';
export const forgetAll = 'Forget all';
export const browsersForgotten = 'Browsers forgotten';
export const forget = 'Forget';
export const browserForgotten = 'Browser forgotten';
export const neverUsed = 'never used';
export const lastUsedAgo = (time: string) => `last used ${time}`;
export const fromUntil = (ip: string, time: string) => `From ${ip}, until ${time}`;
export const failedToRemoveIt = 'Failed to remove it';

export const setUpSecondStep = 'Set up a second step';
export const setUpHint =
  'Your administrator asks for a second step at sign-in, so that your password alone lets nobody in. Choose one to go on; you can add others later.';
export const withAuthenticatorApp = 'Use an authenticator app';
export const signingOut = 'Signing out...';

export const authenticatorAppSetUp = 'Authenticator app set up';
export const failedToSetUpApp = 'Failed to set up the app';
export const setUpAuthenticatorApp = 'Set up an authenticator app';
export const scanThisWithYourAuthenticator = 'Scan this with your authenticator app, then enter the code it shows.';
export const orEnterThisKeyIn = 'Or enter this key in the app';
export const copyKey = 'Copy key';
export const code = 'Code';
export const sixDigits = 'Six digits';
export const qrCodeForYourAuthenticator = 'QR code for your authenticator app';

export const failedToMakeNewCodes = 'Failed to make new codes';
