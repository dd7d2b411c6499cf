import type { ReactNode } from 'react';

export const failedToCreateApiKey = 'Failed to create API key';
export const newApiKey = 'New API Key';
export const newKeyHint = 'Use one key per system, so that you can revoke each one separately.';
export const createKey = 'Create Key';
export const shownInHistoryOfEvery = 'Shown in the history of every alert that was sent with this key.';
export const productionWebhookKey = 'Production Webhook Key';
export const apiKeyDeleted = 'API key deleted';
export const failedToDeleteApiKey = 'Failed to delete API key';
export const deleteApiKey = 'Delete API Key';
export const deleteKeyHint = (name: ReactNode, lastUse: string) => (
  <>
    Systems that use {name} can no longer send alerts. This cannot be undone. {lastUse}.
  </>
);

export const key = 'key';
export const keys = 'keys';
export const newKey = 'New Key';
export const apiKeys = 'API keys';
export const noApiKeysYet = 'No API keys yet';
export const externalSystemsNeedApiKey = 'External systems need an API key to send alerts. Create one for each system.';
export const apiKeyCreated = 'API Key Created';
export const createdAt = (createdAt: string) => `Created ${createdAt}`;
export const deleteApiKeyButton = 'Delete API key';

export const lastUsed = (time: string) => `Last used ${time}`;
export const deleting = 'Deleting...';
