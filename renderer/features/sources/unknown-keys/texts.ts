export const unknownKeys = 'Unknown keys';
export const requestsThatMatchNoSource = 'Requests that match no source. Their bodies are not kept.';
export const noUnknownKeys = 'No unknown keys';
export const requestsWhoseKeyMatchesNo = 'Requests whose key matches no source appear here.';
export const unknownKeysInText = 'unknown keys';
export const createSourceForFrom = (key: string, remoteAddress: string) =>
  `Create source for ${key} from ${remoteAddress}`;
export const cameFrom = (sender: string | undefined, address: string) =>
  sender === undefined ? `From ${address}` : `Like ${sender}, from ${address}`;
