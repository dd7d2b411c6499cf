export const newDelivery = 'new delivery';
export const newDeliveries = 'new deliveries';
export const manyNewDeliveries = (least: number) => `${least}+ new deliveries`;
export const itAppearsHereWithinSecond = 'It appears here within a second. Setup has the configuration for the sender.';
export const setup = 'Setup';
export const noDeliveriesOf = (kind: string) => `No ${kind}deliveries`;
export const noDeliveriesMatch = (q: string) => `No deliveries match “${q}”`;
export const noneInSelectedPeriod = 'None in the selected period.';
export const showAllDeliveries = 'Show all deliveries';
export const deliveries = 'Deliveries';
export const deliveriesInText = 'deliveries';
export const noneAreKept = 'None are kept.';
export const noneInLast = (span: string) => `None in the last ${span}.`;

export const all = 'All';

export const selectDelivery = (outcome: string, time: string) => `Select ${outcome}, ${time}`;
export const replayed = 'Replayed';
export const newAlerts = (count: number) => `${count} new`;
export const andMore = (count: number) => `and ${count} more`;
export const fromAddress = (address: string) => `from ${address}`;

export const selectAllDeliveries = 'Select all deliveries';
export const time = 'Time';
export const outcome = 'Outcome';
export const whatHappened = 'What happened';
export const alerts = 'Alerts';
export const answer = 'Answer';
export const size = 'Size';
export const took = 'Took';
export const open = 'Open';
export const showMore = 'Show more';

export const live = 'Live';
export const searchBodiesIdsAddresses = 'Search bodies, ids, addresses';

export const countSelected = (count: number) => `${count} selected`;
export const selected = (countText: string) => `${countText} selected`;
export const notifyPeopleAgain = 'Notify people again';
export const clear = 'Clear';
export const selecting = 'Selecting…';
export const couldNotSelectAll = 'Could not select all deliveries';
export const replaying = 'Replaying…';
export const replayCount = (countText: string) => `Replay ${countText}`;

export const timeLine = (deliveries: string, refused: number) =>
  `Time line: ${deliveries}, ${refused} refused. Shift and arrow keys select a range.`;
export const now = 'now';
export const refused = (refused: number) => `, ${refused} refused`;
