export const noAlertsFound = 'No alerts found';
export const noAlertsInSystemYet = 'No alerts in the system yet';
export const tryAdjustingYourFilters = 'Try adjusting your filters';
export const total = 'Total';
export const alertsByStatus = 'Alerts by status';

export const searchByCustomerUrlOr = 'Search by customer, URL, or payload...';
export const searchByCustomerUrlOrPayload = 'Search by customer, URL, or payload';
