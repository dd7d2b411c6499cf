/** Names that are shorter are near too many others, such as `HOSTS` of another program. */
const SHORTEST = 8;

/** From so many characters on two mistakes still leave no doubt which setting is meant. */
const TWO_MISTAKES_FROM = 12;

/** The product's own prefix, which settings do not have. */
const PREFIX = 'ALERTDESK_';

/** How Kubernetes sets variables after the names of services: a service `alertdesk` makes `ALERTDESK_PORT`. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

export interface MisspelledSetting {
  variable: string;
  /** The setting that it nearly is. */
  meant: string;
}

/**
 * Variables that are no settings and are nearly one that is not set, such as `RETENTION_DAY`. An environment has many that
 * concern other programs: only what can hardly be anything else is given.
 */
export function findMisspelled(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): MisspelledSetting[] {
  // By lookup: on Windows `data_dir` is `DATA_DIR`.
  const unset = settings.filter((name) => environment[name] === undefined);
  const known = new Set(settings);
  return Object.keys(environment).flatMap((variable) => {
    if (known.has(variable) || !environment[variable]) return [];
    const meant = meantBy(variable, environment[variable], unset);
    return meant === undefined ? [] : [{ variable, meant }];
  });
}

function meantBy(variable: string, value: string, settings: readonly string[]): string | undefined {
  const name = variable.toUpperCase();
  if (name.startsWith(PREFIX)) {
    const rest = name.slice(PREFIX.length);
    return SERVICE_ADDRESS.test(value) ? undefined : settings.find((setting) => setting === rest);
  }
  return settings.find((setting) => {
    if (setting.length < SHORTEST) return false;
    return mistakesBetween(name, setting) <= (setting.length < TWO_MISTAKES_FROM ? 1 : 2);
  });
}

/** How many characters were left out, added, replaced, or exchanged with their neighbor. */
function mistakesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = row > 1 && one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      line.push(
        Math.min(
          rows[row - 1]![column]! + 1,
          line[column - 1]! + 1,
          rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
          isExchanged && column > 1 ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(line);
  }
  return rows[one.length]![other.length]!;
}
