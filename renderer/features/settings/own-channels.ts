import { queryOptions } from '@tanstack/react-query';
import { ownChannelListSchema } from '#backend/contract/own-channel.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

export const OWN_CHANNELS = '/api/own-channels';

/** `GET /api/own-channels`: my channels, and what others could be made of. Throws an ApiError. */
export const channelsQuery = queryOptions({
  queryKey: [OWN_CHANNELS],
  queryFn: ({ signal }) => apiGet(OWN_CHANNELS, ownChannelListSchema, { signal }),
  refetchOnMount: 'always',
});

/** The path of one channel. */
export const pathOfChannel = (id: string): string => `${OWN_CHANNELS}/${encodeURIComponent(id)}`;
