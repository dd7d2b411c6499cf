export const note = 'Note';

export const searchAlerts = 'Search alerts';
export const removeChip = (key: string, shown: string) => `Remove ${key}: ${shown}`;
