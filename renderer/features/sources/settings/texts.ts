export const basicAuthentication = 'Basic authentication';
export const deliveries = (deliveriesText: string) => `${deliveriesText} deliveries`;
export const onlyMethodHint = (count: string) =>
  `This is the only method that is on, so every request would be refused. ${count} used it in the last 24 hours.`;
export const usedLately = (count: string) => `${count} used it in the last 24 hours. Such requests would be refused.`;

export const authentication = 'Authentication';
export const requestNeedsOnlyOneOf = 'A request needs only one of the methods that are on.';
export const authorizationBearerXWebhookAuth = 'Authorization: Bearer, X-Webhook-Auth or X-API-Key.';
export const apiKeyIsPasswordAny = 'The API key is the password. Any user name works.';
export const tokenAddress = (host: string, token: string) => `${host}/in/${token}.`;
export const turnOff = (methodTitles: string) => `Turn off “${methodTitles}”?`;
export const turnOffNow = 'Turn off';
export const turningOff = 'Turning off…';
export const requireSignature = 'Require a signature';
export const senderMustSignEveryRequest = 'The sender must sign every request. An API key alone is refused.';
export const howRequestsAreSigned = 'How requests are signed';
export const newSigningSecretReplacesCurrent =
  'A new signing secret replaces the current one, which keeps working for 24 hours.';
export const enterSigningSecretOfSender =
  'Enter the signing secret of the sender. From then on, every request must be signed.';
export const in24H = (deliveriesText: string) => `${deliveriesText} in 24 h`;
export const lastUsedAgo = (ago: string) => `Last used ${ago}`;

export const addressToken = 'Address token';
export const credentials = 'Credentials';
export const previousApiKeyStillWorks = 'The previous API key still works. Expire it before you rotate again.';
export const stillUsedBy = (lastUsedFrom: string, used: string) => `Still used by ${lastUsedFrom}, ${used}`;
export const lastUsed = (used: string) => `Last used ${used}`;
export const expiresIn = (left: string | undefined) => `Expires in ${left}`;
export const current = 'Current';
export const expireNow = 'Expire now';
export const failedToRevokeCredential = 'Failed to revoke the credential';

export const never = 'Never';
export const automatic = 'Automatic';
export const afterTime = (time: string) => `After ${time}`;
export const afterSet = (set: string) => `After ${set}`;
export const longerThanUsual = 'Longer than usual';
export const none = 'None';
export const usualIntervalIsKnownAfter = 'The usual interval is known after 20 deliveries.';
export const usualInterval = (interval: string) => `Usually one delivery every ${interval}.`;

export const itWasClearedInMeantime = 'It was cleared in the meantime.';
export const wasSavedInMeantime = (value: string) => `“${value}” was saved in the meantime.`;
export const yourChangesAreNotSaved = (title: string) => `${title}: your changes are not saved.`;

export const automaticAs = (name: string) => `Automatic (${name})`;

export const general = 'General';
export const sender = 'Sender';
export const howDeliveriesAreParsed = 'How deliveries are parsed.';
export const defaultCustomer = 'Default customer';
export const repeatsAndResolutions = 'Repeats and resolutions';
export const whenSenderResolvesAlert = 'When the sender resolves an alert';
export const appliesToAlertsThatNo =
  'Applies to alerts that no one has accepted. An accepted alert stays with its owner, who is notified.';
export const completeIt = 'Complete it';
export const keepIt = 'Keep it';
export const whenAlertIsNoLonger = 'When an alert is no longer reported';
export const endsItAsIfSender =
  "Ends it as if the sender had resolved it. Automatic: when the sender's own end time has passed, or well after its repeat interval.";
export const notifyAgainWhileAlertRepeats = 'Notify again while an alert repeats';
export const higherSeverityAlwaysNotifies = 'A higher severity always notifies.';
export const notifyAgain = 'Notify again';
export const reopenAfterCompletion = 'Reopen after completion';
export const ifProblemFiresAgainWithin =
  'If the problem fires again within this time, the alert reopens. After that, a new alert is created.';
export const flappingProblems = 'Flapping problems';
export const flappingHint = 'A problem that keeps opening and closing becomes one alert, and notifies once.';
export const asOnAdminPanel = 'As on the Admin Panel';
export const ownLimit = 'Own limit';
export const flappingLimit = 'Flapping limit';
export const flappingLimitHint =
  'A problem flaps when it opens more often than this, also while the Admin Panel’s rule is off.';
export const moreThan = 'more than';
export const numberOfTimes = 'Number of times';
export const timesIn = 'in';
export const timeWindow = 'Time window';
export const reportSilence = 'Report silence';
export const deliveryLog = 'Delivery log';
export const inDelivery = (time: string, deliveriesText: string, deliveries: number) =>
  `${time} in ${deliveriesText} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
export const keepDeliveriesFor = 'Keep deliveries for';
export const alertsAreKeptWhenTheir = 'Alerts are kept when their deliveries are deleted.';
export const keepBodiesUpTo = 'Keep bodies up to';
export const longerBodiesAreTruncatedIn = 'Longer bodies are truncated in the log, never in the alert.';
export const pauseAndDelete = 'Pause and delete';
export const pause = 'Pause';
export const deliveriesAreLoggedAndAnswered =
  'Deliveries are logged and answered but create no alerts. You can replay them later.';
export const resumeSource = 'Resume source';
export const pauseSource = 'Pause source';
export const itsCredentialsAndAddressStop =
  'Its credentials and address stop working immediately. Its alerts are kept.';
export const deleteSource = 'Delete source…';

export const settingsSaved = (count: number) => `${count} settings saved`;
export const settingCouldNotBeChanged = 'The setting could not be changed back';
export const settingCouldNotBeSaved = 'The setting could not be saved';
export const titleSaved = (title: string) => `${title} saved`;
export const nameSaved = 'Name saved';
export const createdAndUsed = (created: string, by: string | null, use: string) =>
  `Created ${created}${by === null ? '' : ` by ${by}`}. ${use}`;
