import type { ReactNode } from 'react';
import type { ChatService } from '#backend/contract/chat-account.ts';

export const SERVICES: Record<ChatService, string> = { slack: 'Slack', mattermost: 'Mattermost' };

export const chatAccounts = 'Chat accounts';
export const chatAccountsHint = 'Who presses a button in a chat by one of these accounts acts as you.';
export const accountDisconnected = (service: string) => `${service} account disconnected`;
export const failedToDisconnect = 'Failed to disconnect the account';
export const accountConnected = (service: string) => `${service} account connected`;
export const offerQuestion = (service: string, account: string) => (
  <>
    Is the{' '}
    <strong>
      {service} account {account}
    </strong>{' '}
    yours? Whoever uses it can accept and complete alerts as you. Connect it only if you pressed a button yourself just
    now.
  </>
);
export const connect = 'Connect';
export const notMine = 'Not mine';
export const close = 'Close';
export const disconnect = 'Disconnect';
export const accountName = (service: string, account: ReactNode) => (
  <>
    {service}: {account}
  </>
);
export const howConnected = (place: ReactNode, isByEmail: boolean, date: string) => (
  <>
    {place}, {isByEmail ? 'known by your email' : 'connected by you'} on {date}
  </>
);
