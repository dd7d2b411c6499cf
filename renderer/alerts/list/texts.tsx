import type { ReactNode } from 'react';

export const olderNotLoaded = (message: string) => `Older alerts could not be loaded. ${message}`;

export const orMore = (label: ReactNode) => <>or more {label}</>;
export const ofAllMatch = (all: string) => `of ${all} match`;

export const loadingValues = (values: string) => `Loading ${values}…`;

export const newAlertsAbove = (count: number) => `${count} new ${count === 1 ? 'alert' : 'alerts'}`;

export const select = 'Select';

export const accept = 'Accept';
