import type { ReactNode } from 'react';

export const audit = 'Audit';
export const searchActionsPeopleSubjects = 'Search actions, people, subjects, addresses';
export const searchAuditTrail = 'Search the audit trail';
export const kind = 'Kind';
export const everything = 'Everything';
export const time = 'Time';
export const entriesShownAndAllOlder = 'The entries shown and all older ones that match the filter.';
export const jsonLinesAsReturnedBy = 'JSON Lines, as returned by the API';
export const auditExported = 'Audit exported';
export const auditTrail = 'The audit trail';
export const auditTrailInText = 'the audit trail';
export const noEntries = 'No entries';
export const nothingOfThisKindHappened = 'Nothing of this kind happened in this period.';
export const showEverything = 'Show everything';
export const auditTrailName = 'Audit trail';
export const olderEntries = 'Older entries';
export const showMore = 'Show more';
export const byPerson = (name: ReactNode) => <>By {name}</>;
export const byToken = (name: ReactNode) => <>by the token “{name}”</>;
export const fromIp = (ip: string) => ` from ${ip}`;

export const last7Days = 'Last 7 days';
export const last30Days = 'Last 30 days';
export const allTime = 'All time';
