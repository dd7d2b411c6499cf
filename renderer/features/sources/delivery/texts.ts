export const body = 'Body';

export const deliveries = 'Deliveries';
export const delivery = 'Delivery';
export const newerDelivery = 'Newer delivery';
export const olderDelivery = 'Older delivery';
export const copied = 'Copied';
export const copyAsCurl = 'Copy as curl';
export const replaying = 'Replaying…';
export const replay = 'Replay';
export const deliveryInText = 'the delivery';
export const alertOf = (chosen: number, eventsCount: number) => `Alert ${chosen} of ${eventsCount}`;
export const bodyNoLongerKept = (days: number) => `Body no longer kept (${days} days)`;

export const outcome = 'Outcome';
export const answeredAfter = (outcome: string, status: number, time: string) =>
  `${outcome}. Answered ${status} after ${time}.`;
export const detectedAs = (name: string, value: string) => `Detected as ${name}${value}`;
export const alertWithoutTitle = 'An alert without a title';
export const alert = 'Alert';

export const basicAuthentication = 'Basic authentication';
export const test = 'Test';
export const noApiKeyAndNo = 'No API key and no token';
export const looksLike = (name: string) => `, looks like ${name}`;
export const address = 'Address';
export const method = 'Method';
export const credential = 'Credential';
export const known = 'Known';
export const notChecked = 'Not checked';
export const ofJson = ' of JSON';

export const refused = 'Refused';
export const senderReceivedStatusAndNo = (reason: string, status: number) =>
  `${reason}. The sender received status ${status} and no details.`;
export const passed = 'Passed';
export const failed = 'Failed';
export const setUpWithNewCredentials = 'Set up with new credentials';
export const replayAnyway = 'Replay anyway';

export const replayWithoutValidSignature = 'Replay without a valid signature?';
export const anybodyWhoKnowsAddressMay =
  'Anybody who knows the address may have sent this request. Its alerts will say that their signature was not verified.';

export const request = 'Request';
export const keptUntil = (keptUntil: string) => `kept until ${keptUntil}`;
export const mailServer = 'Mail server';
export const from = 'From';
export const fewerHeaders = 'Fewer headers';
export const more = (rest: number) => `${rest} more ${rest === 1 ? 'header' : 'headers'}`;
export const findInBody = 'Find in body';
export const none = 'None';
export const valueOfHitsCount = (value: number, hitsCount: number) => `${value} of ${hitsCount}`;
export const bodyFormat = 'Body format';
export const pretty = 'Pretty';
export const raw = 'Raw';
export const copyBody = 'Copy body';
export const requestHadNoBody = 'The request had no body.';
export const messageWasNotKept = 'The message was not kept';
export const onlyBeginningOfBodyWas = 'Only the beginning of the body was kept.';

export const dedupKey = 'dedup key';
export const comesFromMarkItsLine = (field: string, path: string) =>
  `${field} comes from ${path}. Mark its line in the body.`;
export const notUsed = (fields: readonly string[]) =>
  `Not used: ${fields.slice(0, 8).join(', ')}${fields.length > 8 ? ` and ${fields.length - 8} more` : ''}. They are in Extra Information.`;
export const methodTurned = (method: string, isOn: boolean) => `${method}, turned ${isOn ? 'on' : 'off'}`;
