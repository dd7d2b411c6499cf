import type { TicketState } from '#backend/contract/ticket.ts';

export const notified = 'Notified';
export const fields = 'Fields';
export const findInFields = 'Find in fields';
export const copyAllFields = 'Copy all fields';
export const rawJson = 'Raw JSON';
export const noMatchingFields = 'No matching fields.';
export const itWasSentWithoutFields = 'It was sent without fields.';
export const moreInRawJson = (more: string) => `${more} more are in the raw JSON.`;
export const more = (moreText: string, more: number) => `${moreText} more ${more === 1 ? 'field' : 'fields'}`;
export const copyField = (name: string) => `Copy ${name}`;
export const copyJson = 'Copy JSON';

export const thisAlertWasDeleted = 'This alert was deleted.';
export const someoneElse = 'someone else';
export const thisAlertBelongsTo = (owner: string) => `This alert belongs to ${owner}.`;
export const resolvedByItsSenderBefore = 'Resolved by its sender before anyone accepted it.';
export const thisAlertIsNoLonger = 'This alert is no longer available.';
export const takenBy = (owner: string) => `Accepted by ${owner}. What is shown here is no longer updated.`;

export const alertDetails = 'Alert details';

export const alertNotFound = 'Alert not found';
export const itMayHaveBeenDeleted = 'It may have been deleted, or someone else accepted it.';
export const acceptedIt = (takenBy: string) => `${takenBy} accepted it.`;
export const loadingAlert = 'Loading the alert…';

export const mentionsAtMost = (most: number) => `A note mentions at most ${most} people.`;
export const toMention = (label: string) => `${label}, @ to mention`;
export const colleagues = 'Colleagues';
export const openAlerts = (count: number) => `${count} open`;

export const edited = 'edited';
export const editNote = 'Edit the note';
export const deleteNote = 'Delete the note';

export const backToList = 'Back to the list';
export const previousAlert = 'Previous alert';
export const nextAlert = 'Next alert';
export const placeOfTotal = (place: string, total: string) => `${place} of ${total}`;
export const notInThisList = 'Not in this list';
export const openAsFullPage = 'Open as full page';

export const payload = 'Payload';
export const latestDelivery = 'Latest delivery';
export const firstDelivery = 'First delivery';

export const webhook = 'Webhook';
export const slackMattermostOrRocketChat = 'Slack, Mattermost or Rocket.Chat';
export const slack = 'Slack';
export const mattermost = 'Mattermost';
export const mailList = 'Mail list';
export const waiting = 'Waiting';
export const sent = 'Sent';
export const created = 'Created';
export const ticket = 'Ticket';
export const ticketIs = (state: TicketState, where: string) =>
  ({ open: ` is open in ${where}`, closed: ` is closed in ${where}`, gone: ` is no longer in ${where}` })[state];
export const replaced = 'Replaced';
export const notDelivered = 'Not delivered';
export const receipts = 'Receipts';
export const noMessageWentOut = 'No message went to a destination';
const byChoice = 'Members are notified as each has chosen.';
export const noRuleSendsAlertsAnywhere = `No rule sends alerts anywhere. ${byChoice}`;
export const noRuleMatchedThisAlert = `No rule matched this alert. ${byChoice}`;
export const keptQuietBy = (name: string) => `Kept quiet by ${name}.`;
export const notifiedSoFar = 'Notified so far';
export const olderAreLeftOut = 'Older ones are left out.';
export const failed = 'Failed';
export const newerMessageWasSentIn = 'A newer message was sent in its place.';
export const noAttemptWasMadeYet = 'No attempt was made yet.';
export const durationMs = (durationMsText: string) => `${durationMsText} ms`;
export const earlierAttempts = (count: number) => `${count} earlier attempts are not shown.`;
export const sendAgain = 'Send again';
export const sendAgainTo = (name: string) => `Send again to ${name}`;
export const noReceipts = 'no receipts';
export const afterMilliseconds = (milliseconds: string) => `${milliseconds} ms`;
export const nextTrySoon = (attempt: number) => `try ${attempt} soon`;
export const nextTry = (attempt: number, minutes: number) => `try ${attempt} in ${minutes} min`;

export const state = 'State';
export const acknowledged = 'Acknowledged';
export const firing = 'Firing';
export const now = 'Now';
export const endResolved = (end: string) => `${end} Resolved`;

export const notSavedAnyMore = 'This note was not saved, and can no longer be.';
export const copyNote = 'Copy note';
export const discardNote = 'Discard';

export const notesAndHistory = 'Notes and history';
export const addNote = 'Add a note';
export const addNoteButton = 'Add note';
export const historyNotLoaded = (message: string) => `Notes and history could not be loaded. ${message}`;
export const loadingHistory = 'Loading history...';
export const noteDeletedInText = 'note deleted';
export const oneNoteDeleted = 'Note deleted';
export const notesDeleted = (count: number) => `${count} notes deleted`;
export const couldNotDeleteNote = 'Could not delete the note';
export const openInSource = (source: string) => `Open in ${source === '' ? 'its source' : source}`;
export const earlier = (day: string, duration: string | undefined) =>
  `Earlier: ${day}${duration === undefined ? '' : `, resolved after ${duration}`}`;
export const aboutAlerts = (alerts: number) => `, about ${alerts} alerts`;
export const phone = 'Phone';
export const filterByLabel = (label: string) => `Show alerts filed under ${label}`;
