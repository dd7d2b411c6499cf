export const noAlertWhen = 'No alert when';
export const missingValuesAreEmptyMatches =
  'Missing values are empty. “matches” compares the whole value; * stands for any characters.';
export const addCondition = 'Add a condition';
export const conditionPart = (number: number, part: string) => `Condition ${number}, ${part}`;
export const nameInLog = 'Name in the log';
export const path = 'Path';
export const empty = 'Empty';
export const removeCondition = (number: number) => `Remove condition ${number}`;
export const leavesNothingOutOfThis = 'Leaves nothing out of this delivery.';
export const leavesOutOfThisDelivery = (leftOut: number) =>
  `Leaves out ${leftOut} ${leftOut === 1 ? 'alert' : 'alerts'} of this delivery.`;

export const pastedRequest = 'Pasted request';
export const delivery = 'Delivery';
export const pasteRequest = 'Paste a request…';

export const none = 'None';
export const change = 'Change';
export const changeField = (field: string) => `Change ${field}`;
export const detectedAutomatically = 'Detected automatically';
export const addValueTable = 'Add a value table';
export const addValueTableTo = (label: string) => `Add a value table to ${label}`;
export const sendersRule = "Use the sender's rule";
export const from = (from: string) => `from “${from}”`;

export const relativeToElementThatBecomes = 'relative to the element that becomes the alert';
export const fromRootOfBody = 'from the root of the body';
export const elementOfListNameWith = 'an element of a list, a name with dots';
export const jSONPathRfc9535AtMost = 'JSONPath (RFC 9535), at most 50 ms';
export const headerXTenant = 'header: x-tenant';
export const requestHeader = 'a request header';
export const fixedText = 'a fixed text';
export const templateOfAnyPathsAbove = 'a template of any paths above, in text fields; missing values are empty';
export const howPathsWork = 'How paths work';

export const bodyOfDelivery = 'Body of the delivery';
export const chooseField = 'Use as…';
export const chooseFieldFor = (path: string) => `Use ${path} as…`;
export const moreLines = (linesCount: number) => `${linesCount} more lines`;

export const fieldsFor = (path: string) => `Use ${path} as`;

export const dedupKey = 'dedup key';
export const oneAlertForEach = 'one alert for each';
export const noAlertWhenInText = 'no alert when';
export const isNot = 'is not';
export const valueTableRowOneOf = (row: number) => `Value table, row ${row}: one of the two values is empty.`;
export const conditionNeedsName = 'The condition needs a name.';
export const conditionNeedsPath = 'The condition needs a path.';
export const defaultCustomerIsUsed = ' The default customer is used.';
export const noMatchInThisDelivery = (fallback: string) => `No match in this delivery.${fallback}`;
export const noListInThisDelivery = 'No list in this delivery. It is read as a whole.';
export const inThisDelivery = (splitInto: number) =>
  `${splitInto} ${splitInto === 1 ? 'item' : 'items'} in this delivery`;
export const toFix = (errors: number) => `${errors} ${errors === 1 ? 'entry' : 'entries'} to fix`;
export const unsavedHint = (changes: number) =>
  `${changes} unsaved ${changes === 1 ? 'change. It applies' : 'changes. They apply'} to deliveries from now on.`;

export const mappingSaved = 'Mapping saved';
export const itAppliesToDeliveriesFrom = 'It applies to deliveries from now on';
export const mappingCouldNotBeSaved = 'The mapping could not be saved';
export const alertCreatedByThisMapping = 'Alert created by this mapping';
export const placeOfAll = (place: number, all: number) => `${place} of ${all}`;
export const previousAlert = 'Previous alert';
export const nextAlert = 'Next alert';
export const noAlert = 'No alert.';
export const copyBody = 'Copy body';
export const bodyIsNotJson = 'The body is not JSON.';
export const fields = 'Fields';
export const emptyFieldsAreDetectedAutomatically = 'Empty fields are detected automatically.';
export const field = 'Field';
export const pathInDelivery = 'Path in the delivery';
export const result = 'Result';
export const someoneElseSavedMappingIn = 'Someone else saved the mapping in the meantime.';
export const discard = 'Discard';
export const saving = 'Saving…';
export const saveMapping = 'Save mapping';

export const mappingIsTestedOnDelivery =
  'A mapping is tested on a delivery. To start before the first one arrives, paste a request.';

export const pastDeliveries = 'Past deliveries';
export const changeMappingToSeeWhat =
  'Change the mapping to see what the last deliveries would become. None of them is changed.';
export const pastDeliveriesCouldNotBe = (message: string) => `Past deliveries could not be read: ${message}`;
export const readingPastDeliveries = 'Reading past deliveries…';
export const showDeliveryOf = (time: string) => `Show the delivery of ${time}`;
export const noBodyOfDeliveryIs = 'No body of a delivery is kept.';
export const wouldDiffer = (differ: number, all: number) => `${differ} of the last ${all} would become something else.`;
export const notShownNoBodyKept = (said: string, notRead: number) =>
  `${said} ${notRead} not shown: no body kept, or too large.`;
export const noAlertInText = 'no alert';
export const countAlerts = (count: number) => `${count} alerts`;
export const same = 'The same';

export const pasteRequestDialog = 'Paste a request';
export const mappingIsTestedOnIt = 'The mapping is tested on it. Nothing is stored.';
export const tryIt = 'Try it';
export const trying = 'Trying…';
export const method = 'Method';
export const headers = 'Headers';
export const onePerLineAsName = 'One per line, as name: value.';
export const body = 'Body';

export const pathToListOfObjects = 'Path to a list of objects';

export const valueTableOf = (label: string) => `Value table of ${label}`;
export const rowValueOfSender = (label: string, index: number) => `${label}, row ${index}, value of the sender`;
export const valueOfSender = 'Value of the sender';
export const rowBecomes = (label: string, index: number) => `${label}, row ${index}, becomes`;
export const becomes = 'Becomes…';
export const removeRowOf = (index: number, label: string) => `Remove row ${index} of ${label}`;
export const anyOtherValue = 'Any other value';
export const anyOtherValueBecomes = (label: string) => `${label}, any other value becomes`;
export const staysAsItIs = 'Stays as it is';
export const addRowTo = (label: string) => `Add a row to ${label}`;
export const deliveryOf = (name: string) => `Delivery: ${name}`;
export const livePreview = (failing: string | undefined) =>
  `live preview of the delivery below${failing === undefined ? '' : `; ${failing} keeps its last result until it is fixed`}`;
export const unsavedChanges = (changes: number) =>
  `${changes === 1 ? '1 change of the mapping is' : `${changes} changes of the mapping are`} not saved.`;
export const title = 'title';
export const customer = 'customer';
export const type = 'type';
export const severity = 'severity';
export const state = 'state';
export const link = 'link';
export const is = 'is';
export const contains = 'contains';
export const matches = 'matches';
