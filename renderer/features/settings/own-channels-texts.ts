import type { OwnChannelKind } from '#backend/contract/own-channel.ts';

/** What each kind of channel is called. */
export const KIND_NAMES: Record<OwnChannelKind, string> = {
  ntfy: 'ntfy',
  gotify: 'Gotify',
  telegram: 'Telegram',
  webhook: 'Webhook',
  mail: 'Mail to my account',
  phone: 'Phone',
};

export const ownChannels = 'Own channels';
export const hint = 'Where rules notify you step by step until somebody takes an alert, beside pages and push.';
export const addChannel = 'Add a channel';
export const newChannel = 'New channel';
export const kind = 'Kind';
export const name = 'Name';
export const namePlaceholder = 'My phone';
export const server = 'Server';
export const address = 'Address';
export const topic = 'Topic';
export const accessToken = 'Access token, if it has one';
export const applicationToken = 'Application token';
export const chatId = 'Chat id';
export const botToken = 'Bot token';
export const gateway = 'Gateway';
export const phoneNumber = 'Phone number, with its country';
export const sendCode = 'Send a code';
export const cancel = 'Cancel';
export const remove = (channel: string) => `Remove ${channel}`;
export const removeChannel = 'Remove channel';
export const nothingIsSentThere =
  'gets nothing any more, nor what waits to be sent there. It takes another code to have it back.';
export const removeAction = 'Remove';
export const removing = 'Removing...';
export const channelRemoved = 'Channel removed';
export const failedToRemoveChannel = 'Failed to remove the channel';
export const codeOf = (channel: string) => `Code of ${channel}`;
export const confirm = 'Confirm';
export const sendAnotherCode = 'Send another code';
export const waitsForItsCode = 'Waits for its code';
export const doNotGetThrough = 'Messages do not get through';
export const neverUsed = 'Never used';
export const lastUsed = (time: string) => `Last used ${time}`;
