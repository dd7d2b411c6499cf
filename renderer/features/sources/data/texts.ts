export const noKey = 'No key';

export const someoneElseChangedItIn = 'Someone else changed it in the meantime. Their version is shown.';

export const notReplayed = (leftCount: string, reason: string) => `${leftCount} not replayed: ${reason}`;
export const failedToReplayDeliveries = 'Failed to replay the deliveries';
export const replayedInPart = (deliveries: string, left: string) => `${deliveries} replayed, ${left} not`;
export const replayed = (deliveries: string, made: string) => `${deliveries} replayed${made === '' ? '' : `: ${made}`}`;
