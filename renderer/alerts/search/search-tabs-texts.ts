export const all = 'All';
export const searchIn = 'Search in';
export const orMore = ' or more';
export const alertMatches = 'alert matches';
export const alertsMatch = 'alerts match';
