export const forYou = 'For you';
export const forYouUnread = (unread: number) => `For you, ${unread} unread`;

export const totalUnread = (total: number) => `${total} unread`;
export const show = 'Show';
export const all = 'All';
export const unread = 'Unread';
export const recent = 'Recent';
export const keptInThisTab = (minutes: number) => `Kept for ${minutes} minutes, in this tab`;
export const keptOnAllDevices = (days: number) => `Kept for ${days} days, on all your devices`;
export const oneMarkedAsRead = '1 marked as read';
export const someMarkedAsRead = (count: number) => `${count} marked as read`;
export const markedAsRead = 'Marked as read';
export const couldNotBeMarkedAs = 'Could not be marked as unread';
export const couldNotBeMarkedAsRead = 'Could not be marked as read';
export const markAllAsRead = 'Mark all as read';

export const newNotices = (count: number | string) => `${count} new`;
export const showOlder = 'Show older';
export const nothingForYouYet = 'Nothing for you yet';
export const mentionsHandOversAndAssignments = 'Mentions, hand-overs, and assignments appear here.';
export const fromLastDays = (days: number) => `From the last ${days} days.`;
export const nothingUnread = 'Nothing unread';
export const noMentions = 'No mentions';
export const noHandOvers = 'No hand-overs';
export const noAssignments = 'No assignments';
export const loading = 'Loading';

export const unreadNotice = 'Unread.';
export const youWereSignedOut = 'You were signed out';

export const nothingInLastMinutes = (minutes: number) => `Nothing in the last ${minutes} minutes`;
export const whatThisTabReportsCan = 'What this tab reports can be read again here, and undone.';
export const newerNew = (newer: number) => `${newer} new`;
export const undone = 'Undone';
export const undoOf = (title: string, description: string) => `Undo: ${title}${description}`;
