export const exceptionRemoved = 'Exception removed';
export const exceptionChanged = 'Exception changed';
export const exceptionAdded = 'Exception added';
export const couldNotBringExceptionBack = 'Could not bring the exception back';
export const couldNotChangeException = 'Could not change the exception';

export const failedTo = (verb: string, what: string) => `Failed to ${verb} ${what}`;
export const alertType = 'Alert type';
export const allCustomersMuted = 'All customers muted';
export const allCustomersEnabled = 'All customers enabled';
export const error = 'Error';
export const failedToAllCustomers = (muted: boolean, why: string) =>
  `Failed to ${muted ? 'mute' : 'enable'} all customers. ${why}`.trim();

export const muteNotifications = 'Mute notifications';
export const appliesOnlyToYouAlerts = 'Applies only to you. Alerts still arrive, without notifications or sounds.';
export const unmute = 'Unmute';
export const mute = 'Mute';
export const what = 'What';
export const muted = ' (muted)';
export const forHowLong = 'For how long';

export const itsSource = 'its source';
export const forever = 'Forever';
export const untilTime = (time: string) => `Until ${time}`;
export const thisCustomerNoLongerExists = 'This customer no longer exists.';

export const failedToSetMute = (verb: string, what: string) => `Failed to ${verb} ${what}`;

export const unmuteStart = 'Unmute ';
export const forTime = 'For a time…';
export const mutedUntil = (time: string | undefined) => `Muted${time === undefined ? '' : ` until ${time}`}`;
export const isMutedNow = (what: string) => `${what} muted`;
export const isUnmutedNow = (what: string) => `${what} unmuted`;
