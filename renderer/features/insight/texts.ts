export const asTable = (title: string) => `${title} as a table`;
export const showAsTable = 'As a table';
export const titleTable = (title: string) => `${title}, table`;
export const chartKeys = (more: string) => `Use the arrow keys to move through its values.${more}`;

export const chooseDays = 'Choose days';
export const show = 'Show';
export const firstDay = 'First day';
export const lastDay = 'Last day';
export const lastDayIsBeforeFirst = 'The last day is before the first.';
export const chooseAtMost = (days: number) => `Choose at most ${days} days.`;

export const critical = 'Critical';
export const high = 'High';
export const warning = 'Warning';
export const lowInfoNone = 'Low, info, none';
export const others = 'Others';
export const arrivalsPerDay = 'Arrivals per day';
export const day = 'Day';
export const arrived = 'Arrived';
export const enterShowsAlertsOfDay = 'Enter shows the alerts of a day.';

export const exportHint = (range: string) =>
  `The numbers for ${range} with the current filters, by day, hour of the week, customer, type, source, person, maintenance window, and rule, and the noisiest problems.`;
export const jsonAsReturnedByApi = 'JSON, as returned by the API';
export const insightExported = 'Insight exported';

export const alertsAreStillBeingCounted = 'Alerts are still being counted. These numbers will grow until that is done.';
export const noAlertsInTheseDays = 'No alerts in these days';
export const tryOtherDaysOrFewer = 'Try other days, or fewer filters.';
export const chooseOtherDaysOnceAlerts =
  'Choose other days. Once alerts arrive, this page counts them by day, hour, customer, type, source, and person.';
export const timeToAccept = 'Time to accept';
export const timeToComplete = 'Time to complete';

export const complete = 'Complete';
export const resolved = 'Resolved';
export const loadingInsight = 'Loading insight…';

export const days = (days: number) => `${days} days`;
export const type = 'Type';
export const person = 'Person';
export const deletedSource = 'Deleted source';
export const someone = 'Someone';
export const filterPlural = (plural: string) => `Filter ${plural}`;
export const rangeOfDays = 'Days';
export const me = 'Me';

export const byGroup = (group: string) => `By ${group}`;
export const groupBy = 'Group by';
export const groupNoiseBy = 'Group noise by';
export const noOneHasAcceptedAny = 'No one has accepted any of these.';
export const noneInTheseDays = 'None in these days.';
export const byTable = (label: string) => `By ${label}, table`;
export const toAccept = 'To accept';
export const toComplete = 'To complete';
export const deleted = (deletedCount: number) => `Deleted (${deletedCount})`;
export const moreRows = (count: number) => `${count} more`;
export const noType = 'No type';
export const noSource = 'No source';
export const unassigned = 'Unassigned';
export const deletedOne = (group: string) => `Deleted ${group}`;

export const timeToAcceptMedian = 'Time to accept, median';
export const timeToCompleteMedian = 'Time to complete, median';
export const resolvedBeforeAnyoneAccepted = 'Resolved before anyone accepted';
export const someOfArrived = (some: string, arrived: string) => `${some} of ${arrived}`;

export const median = 'Median';
export const alerts = 'Alerts';
export const n90Under = (ninetieth: string) => `90% under ${ninetieth}`;

export const medianMedian = (median: string) => `Median ${median}`;

export const perHour = 'Per hour';
export const arrivalsByWeekdayAndHour = 'Arrivals by weekday and hour';
export const hour = 'Hour';
export const alertsPerHour = (count: string) => `${count} per hour`;
export const chart = 'chart';

export const window = 'Window';
export const rule = 'Rule';
export const noise = 'Noise';
export const noiseTable = 'Noise, table';
export const accepted = 'Accepted';
export const repeats = 'Repeats';
export const flapped = 'Flapped';
export const keptQuietColumn = 'Kept quiet';
export const onArrival = 'on arrival';
export const noRuleInTheseDays = 'No rule applied to any of these alerts.';
export const noWindowInTheseDays = 'No maintenance window kept any of these quiet.';
export const noisiestProblems = 'Noisiest problems';
export const noisiestProblemsTable = 'Noisiest problems, table';
export const problem = 'Problem';
export const deliveries = 'Deliveries';
export const actions = 'Actions';
export const keepQuiet = 'Keep quiet…';
export const keepQuietNamed = (title: string) => `Keep quiet: ${title}`;
export const problemOfColleague = 'With a colleague';
export const problemDeleted = 'Deleted';

export const keptQuiet = (count: string, isMore: boolean) =>
  `Kept quiet in maintenance windows: ${isMore ? 'at least ' : ''}${count}`;
export const keptSince = (time: string, count: string, number: number) =>
  `${time}: ${count} ${number === 1 ? 'alert' : 'alerts'}`;
