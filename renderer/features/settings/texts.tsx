import type { ReactNode } from 'react';
import { countText } from '#backend/contract/count-text.ts';

export const alertTypeSubscriptions = 'Alert Type Subscriptions';
export const alertTypes = 'Alert types';
export const noAlertTypesYet = 'No alert types yet';
export const desktopAlertsForThisType = (isMuted: boolean) =>
  `Desktop alerts ${isMuted ? 'disabled' : 'enabled'} for this type`;
export const noSound = 'No sound';
export const failedToChangeSound = 'Failed to change the sound';
export const soundOf = (name: string) => `Sound of ${name}`;
export const playSoundOf = (name: string) => `Play the sound of ${name}`;

export const system = 'System';
export const light = 'Light';
export const dark = 'Dark';
export const dense = 'Dense';
export const comfortable = 'Comfortable';
export const on = 'On';
export const off = 'Off';
export const appearance = 'Appearance';
export const theme = 'Theme';
export const density = 'Density';
export const singleKeyShortcuts = 'Single-key shortcuts';

export const customerNotificationPreferences = 'Customer Notification Preferences';
export const byDefaultYouAreNotified = 'By default you are notified of every customer. Uncheck one to mute it.';
export const enableAll = 'Enable All';
export const muteAll = 'Mute All';
export const customers = 'Customers';
export const noCustomersYet = 'No customers yet';
export const searchCustomers = 'Search customers';
export const lastSeenAgo = (time: ReactNode) => <>Last seen {time}</>;
export const customersInText = 'customers';
export const noCustomersFoundMatching = (name: ReactNode) => <>No customers found matching "{name}"</>;

export const toastNotifications = 'Toast notifications';
export const taskbarUnreadBadge = 'Taskbar unread badge';
export const trayMenu = 'Tray menu';
export const shortcutsKeys = (keys: ReactNode, keysText: ReactNode) => (
  <>
    Shortcuts {keys} {keysText}
  </>
);
export const realTimeUpdates = 'Real-time updates';
export const windowsDesktopApp = 'Windows Desktop App';
export const features = 'Features';
export const downloadLinkCouldNotBe = (message: string) => `The download link could not be loaded. ${message}`;
export const howToInstall = 'How to install';
export const downloadLatestRelease = 'Download the latest release';
export const runExe = 'Run the .exe';
export const updatesInstallAutomatically = 'Updates install automatically';
export const downloadLatestReleaseButton = 'Download Latest Release';

export const makeExceptionOf = 'Make an exception of';
export const searchViewsSourcesCustomersAnd = 'Search views, sources, customers and types';

export const exceptions = 'Exceptions';
export const mostSpecificOneCountsCustomer =
  'The most specific one counts: customer, then type, source, view. Of two views, the louder.';
export const addException = 'Add exception';
export const noExceptionsYourChoiceAbove = 'No exceptions. Your choice above counts for every alert.';
export const notifyMeOfOne = (kind: string, name: string) => `Notify me of ${kind} ${name}`;
export const removeExceptionOf = (name: string) => `Remove the exception of ${name}`;

export const eachNewAlert = 'Each new alert';
export const criticalAndHighOnesAnd = 'Critical and high ones, and what is mine';
export const criticalOnesAndWhatIs = 'Critical ones, and what is mine';
export const mentionsHandOversAssignmentsAnd = 'Mentions, hand-overs, assignments, and changes of alerts that I own';
export const bellStillCollectsWhatIs = 'The bell still collects what is for me';
export const notifyMeOfTitle = 'Notify Me Of';
export const toastsSoundsDesktopAndWeb =
  'Toasts, sounds, desktop and web push follow this. Nothing is hidden from your lists.';
export const last7DaysForYou = 'Last 7 days for you';
export const yourChoice = 'Your choice';
export const notifyMeOf = 'Notify me of';
export const notificationsChanged = 'Notifications changed';
export const couldNotBringChoiceBack = 'Could not bring the choice back';

export const sentToYourAccountsEmail = 'Sent to your account’s email address. Every email has an unsubscribe link.';
export const emailMeWhenIAm = 'Email me when I am mentioned';
export const onlyWhileYouHaveNo = 'Only while you have no page open on any device.';
export const emailMeDailyDigest = 'Email me a daily digest';
export const at = 'At';
export const digestHint = (zone: string) =>
  `In the time zone ${zone}. It lists new alerts in the inbox, except those you muted, and your open alerts. If there is nothing to report, no email is sent.`;
export const failedToChangeEmailSettings = 'Failed to change the email settings';

export const inPreviewDays = (count: number, days: number) => `${count} in ${days} days`;

export const ifThisHadComeNow = 'If This Had Come Now';
export const sendingTest = 'Sending a test…';
export const testReachedThisDevice = 'The test reached this device.';
export const recentAlerts = 'Recent alerts';
export const ifThisHadComeNowList = 'If this had come now';
export const notified = 'Notified';
export const quiet = 'Quiet';
export const belowHigh = 'below high';
export const notCritical = 'not critical';
export const notMine = 'not mine';
export const nothing = 'Nothing';
export const quietHours = 'quiet hours';

export const enabled = 'Enabled';
export const blocked = 'Blocked';
export const notEnabled = 'Not enabled';
export const pushNotifications = 'Push Notifications';
export const notificationsAreBlockedForThis =
  "Notifications are blocked for this site. Allow them in your browser's settings, behind the icon beside the address.";
export const active = 'Active';
export const pushNotificationsEnabled = 'Push notifications enabled';
export const enablePushNotifications = 'Enable Push Notifications';
export const pushTurnedOff = (status: string) =>
  `${status === 'removed' ? 'This browser was removed from your devices. ' : ''}Notifications are turned off in this browser.`;
export const turnOn = 'Turn on';
export const yourDevices = 'Your devices';
export const devices = 'Devices';
export const removeDevice = (device: string) => `Remove ${device}`;
export const noMoreNotificationsToThis = 'No more notifications to this device';
export const addedTime = (time: string) => `Added ${time}`;
export const lastNotified = (time: string) => `Last notified ${time}`;
export const failedToRemoveDevice = 'Failed to remove device';

export const permission = 'Permission';
export const serviceWorker = 'Service worker';
export const subscription = 'Subscription';
export const server = 'Server';
export const pushService = 'Push service';
export const arrival = 'Arrival';
export const notificationsAreBlockedInYour = 'Notifications are blocked in your browser settings.';
export const browserAskedForPermissionAnd = 'The browser asked for permission and got no answer.';
export const pushServiceAcceptedMessageBut =
  'The push service accepted the message, but it did not arrive here within 10 seconds.';
export const sendMeTestNotification = 'Send me a test notification';
export const testNotification = 'Test notification';
export const failed = 'Failed';
export const inProgress = 'In progress';

export const quietHoursTitle = 'Quiet Hours';
export const noNotificationsAndNoSounds =
  'No notifications and no sounds on any of your devices. Alerts still arrive in the inbox.';
export const quietHoursInText = 'Quiet hours';
export const pausedUntil = (until: string) => `Paused until ${until}`;
export const resume = 'Resume';
export const pauseFor1Hour = 'Pause for 1 hour';
export const mo = 'Mo';
export const monday = 'Monday';
export const tu = 'Tu';
export const tuesday = 'Tuesday';
export const we = 'We';
export const wednesday = 'Wednesday';
export const th = 'Th';
export const thursday = 'Thursday';
export const fr = 'Fr';
export const friday = 'Friday';
export const sa = 'Sa';
export const saturday = 'Saturday';
export const su = 'Su';
export const sunday = 'Sunday';
export const weeklyQuietHours = 'Weekly quiet hours';
export const days = 'Days';
export const from = 'From';
export const to = 'To';
export const chooseAtLeastOneDay = 'Choose at least one day.';
export const endsAfterMidnightOnDay = 'Ends after midnight, on the day after each of these days.';
export const failedToChangeQuietHours = 'Failed to change quiet hours';

export const sourceSubscriptions = 'Source Subscriptions';
export const desktopAlertsForThisSource = (isMuted: boolean) =>
  `Desktop alerts ${isMuted ? 'disabled' : 'enabled'} for this source`;

export const where = 'Where';
export const noneChooseOneForAlert = 'None. Choose one for an alert type below';
export const forAlert = (types: number) => `For ${types} alert ${types === 1 ? 'type' : 'types'}`;
export const turnedOffOnThisComputer = 'Turned off on this computer';
export const notAllowedYet = 'Not allowed yet';
export const blockedByBrowserOpenIcon =
  'Blocked by the browser. Open the icon beside the address, allow notifications for this site, and reload the page.';
export const notSupportedByThisBrowser = 'Not supported by this browser';

export const enabledHere = (isApp: boolean) => `Enabled, ${isApp ? 'this app' : 'this computer'}`;

export const notActiveOnAnyDevice = 'Not active on any device';
export const activeOn = (count: number) => `Active on ${count} ${count === 1 ? 'device' : 'devices'}`;
export const webPush = 'Web push';
export const quietHoursHint = 'No notifications and no sounds';
export const fromTo = (from: string, to: string) => `${from} to ${to}`;
export const mutedElsewhere = (more: number) =>
  `${more > 0 ? `${countText(more)} more are muted. ` : ''}Muted customers, types and sources are also in the lists below and can be changed in both places.`;
