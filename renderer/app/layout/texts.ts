export const newInBar = 'New';
export const mineInBar = 'Mine';

export const myAccount = 'My account';

export const toggleSidebar = 'Toggle the sidebar';

export const toggleSidebarWith = (keys: string) => `Toggle the sidebar (${keys})`;

export const alertManagement = 'Alert Management';
export const connected = 'Connected';
export const connecting = 'Connecting…';
export const checking = 'Checking…';
export const forYou = 'For you';

export const skipToContent = 'Skip to content';
export const sidebar = 'Sidebar';

export const someAlertsMayBeMissing = 'Some alerts may be missing.';
export const mayBeIncomplete = 'May be incomplete';
export const newVersion = 'New version';
export const reload = 'Reload';
export const partOfThisPageCould = 'Part of this page could not be loaded.';
export const notFullyLoaded = 'Not fully loaded';
export const reconnecting = 'Reconnecting…';
export const updatesDelayed = 'Updates delayed';
export const liveUpdatesAreDelayed = 'Live updates are delayed';

export const closeSidebar = 'Close the sidebar';
export const main = 'Main';
export const alerts = 'Alerts';

export const user = 'User';
