import type { ReactNode } from 'react';

export const filterBy = (tip: string, filter: string) => `${tip}, filter by ${filter}`;
export const muted = 'Muted';
export const isNew = 'New';
export const extraInformation = (count: number) =>
  `Extra information, ${count} more ${count === 1 ? 'field' : 'fields'}`;
export const countMore = (count: number) => `${count} more`;

export const noLongerInThisList = 'No longer in this list';
export const acceptedBy = (name: ReactNode) => <>Accepted by {name}</>;

export const unassigned = 'Unassigned';
export const assigned = 'Assigned';

export const test = 'Test';
