import type { ReactNode } from 'react';

export const never = 'Never';
export const copyAddressOf = (name: string) => `Copy address of ${name}`;
export const actionsFor = (name: string) => `Actions for ${name}`;

export const source = 'source';
export const sources = 'sources';
export const needsAttention = (strong: ReactNode, attention: number) => (
  <>
    , {strong} {attention === 1 ? 'needs' : 'need'} attention
  </>
);
export const searchSources = 'Search sources';
export const sourceIsOnePlaceThat =
  'A source is one place that alerts come from: a monitoring system, a shop, a script.';
export const sourcesCouldNotBeLoaded = 'Sources could not be loaded';
export const newSource = 'New source';
export const health = 'Health';
export const all = 'All';
export const noSourcesAre = (health: string) => `No sources are “${health}”`;
export const noSourcesMatch = (search: string) => `No sources match “${search}”`;
export const namesOfSourcesAndOf = 'Names of sources and of their senders are searched.';
export const clearSearch = 'Clear search';
export const lastDelivery = 'Last delivery';
export const refusedToday = 'Refused today';
export const actions = 'Actions';

export const loadingSources = 'Loading sources…';

export const unknownKeys = 'Unknown keys';
export const requestsThatMatchNoSource = 'Requests that match no source';
export const requestToday = (strong: ReactNode, requestsToday: number) => (
  <>
    {strong} {requestsToday === 1 ? 'request' : 'requests'} today
  </>
);
export const withKeysFromAddresses = (keys: string, addresses: string) => `With ${keys}, from ${addresses}`;
