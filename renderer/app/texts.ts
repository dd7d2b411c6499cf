export const youWereSignedOutBefore = 'You were signed out before your last change was sent.';
export const notSaved = 'Not saved';

export const thisPageStoppedWorking = 'This page stopped working';
export const reloadPage = 'Reload the page';
export const nothingIsLostReloadPage =
  'Nothing is lost. Reload the page; if it stops again, give your administrator what it says here:';
export const thisPageCouldNotBe = 'This page could not be loaded';
export const reload = 'Reload';
export const alertdeskWasUpdatedWhileIt =
  'Alertdesk was updated while it was open here. Reload to open this page in the new version.';
export const checkYourConnectionThenReload = 'Check your connection, then reload.';

export const pageNotFound = 'Page Not Found';
export const goToNewAlerts = 'Go to New Alerts';
export const thereIsNoPageAt = 'There is no page at this address. Check it for typos, or start from the inbox.';
export const alertdeskCannotBeReached = 'Alertdesk cannot be reached';
export const loading = 'Loading...';
