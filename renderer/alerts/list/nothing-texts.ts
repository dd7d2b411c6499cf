export const noAlertsMatch = (search: string) => `No alerts match “${search}”`;
export const searchedHint = (hasTabs: boolean) =>
  `Titles, customers, addresses, and payloads in this list were searched.${hasTabs ? ' Other lists are shown above.' : ''}`;
export const clearSearch = 'Clear search';
export const nothingInThisListMatches = 'Nothing in this list matches the filter.';
export const clearFilter = 'Clear filter';
export const noAlertsForThisCustomer = (adjective: string) => `No ${adjective}alerts for this customer.`;
export const noAlertsOfThisType = (adjective: string) => `No ${adjective}alerts of this type.`;
export const noAlertsFromThisSource = (adjective: string) => `No ${adjective}alerts from this source.`;
export const noAlertsWithThisStatus = (adjective: string) => `No ${adjective}alerts with this status.`;
export const noAlerts = (adjective: string) => `No ${adjective}alerts.`;
export const noAlertsWithoutSeverity = 'No alerts without a severity.';
export const noAlertsOfTheseSeverities = 'No alerts of these severities.';
export const nothingOpen = 'Nothing open';
export const completedToday = (alerts: string, count: number) =>
  `${alerts} of yours ${count === 1 ? 'was' : 'were'} completed today.`;
export const criticalWait = (shown: string, value: string, count: number, isAtLeast: boolean) =>
  `${shown}${value} critical ${count === 1 && !isAtLeast ? 'one waits' : 'ones wait'} in New Alerts.`;
