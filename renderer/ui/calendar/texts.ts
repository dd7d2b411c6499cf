export const previousMonth = 'Previous month';
export const nextMonth = 'Next month';
