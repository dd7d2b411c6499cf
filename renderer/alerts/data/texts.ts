export const failedToFetchFolderAlerts = 'Failed to fetch folder alerts';

export const untilItFiresAgain = 'until it fires again';
export const untilTime = (time: string) => `until ${time}`;

export const andMore = (count: number) => `, and ${count} more`;
