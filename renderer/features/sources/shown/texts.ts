export const lessThan1Min = 'less than 1 min';

export const milliseconds = (milliseconds: number) => `${milliseconds} ms`;

export const copied = 'Copied';
export const copy = 'Copy';
export const copyOne = (label: string) => `Copy ${label}`;

export const sourceCouldNotBeDeleted = 'The source could not be deleted';
export const itReceivedNothingInLast = 'It received nothing in the last 24 hours';
export const itReceivedInLast24 = (deliveriesText: string, deliveries: number) =>
  `It received ${deliveriesText} ${deliveries === 1 ? 'delivery' : 'deliveries'} in the last 24 hours`;
export const deleteQuestion = (name: string) => `Delete “${name}”?`;
export const itsCredentialsAndAddressStop = (sent: string) =>
  `Its credentials and address stop working immediately. ${sent}. Its alerts are kept.`;
export const deleteSource = 'Delete source';
export const deleting = 'Deleting…';

export const more = (moreText: string) => `${moreText} more`;
export const newLabel = 'New';

export const createNewAddress = 'Create new address';
export const rotateQuestion = (title: string, name: string) => `${title} of “${name}”?`;
export const newWhat = (what: string) => `New ${what}`;
export const rotateHint = (what: string) =>
  `A new ${what} is created and shown once. The old one keeps working for 24 hours.`;
export const closeWithoutIt = 'Close without it';
export const keepOpen = 'Keep open';
export const youHaveNotCopiedIt = 'You have not copied it. Close anyway?';

export const notDetectedYet = 'Not detected yet';

export const path = 'Path';
export const deliveries = 'Deliveries';
export const setup = 'Setup';
export const mapping = 'Mapping';
export const resume = 'Resume';
export const pause = 'Pause';
export const moreActions = 'More actions';
export const defaultCustomer = (defaultCustomer: string) => `Default customer ${defaultCustomer}`;
export const pagesOf = (name: string) => `Pages of ${name}`;

export const actionsFor = (name: string) => `Actions for ${name}`;
export const open = 'Open';

export const deliveriesInLast24Hours = (deliveries: string, refused: string) =>
  `${deliveries} ${deliveries === '1' ? 'delivery' : 'deliveries'} in the last 24 hours, ${refused} refused`;
export const refused = (refused: number) => `, ${refused} refused`;

export const sourceDone = (done: string) => `Source ${done}`;
export const sourcesDone = (count: number, done: string) => `${count} sources ${done}`;
export const sourceCouldNotBeChanged = 'The source could not be changed back';
export const sourceCouldNotBe = (done: string) => `The source could not be ${done}`;
export const testSent = 'Test sent';
export const itShowsInDeliveriesOf = (name: string) => `It shows in the deliveries of ${name}`;
export const testCouldNotBeSent = 'The test could not be sent';
export const address = 'address';
