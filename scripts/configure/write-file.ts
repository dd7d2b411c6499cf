import { Document, type YAMLMap, isMap } from 'yaml';
import {
  type Configuration,
  type ConfiguredSource,
  SECTION_NAMES,
  type SectionName,
  configurationSections,
  secretFieldsOf,
} from '#backend/contract/configuration.ts';

const HEADER = ` What administrators have set up. Secrets are not in it: absent ones stay as they are stored. A section that is deleted
 here is left as it is; an entry that is deleted here is deleted there.`;

type Entry = Readonly<Record<string, unknown>>;

/** The entry without the fields that are as they would be without being there. */
function withoutDefaults(section: SectionName, entry: Entry): Entry {
  const { element } = configurationSections[section].def;
  let short = entry;
  for (const name of Object.keys(entry)) {
    const { [name]: value, ...others } = short;
    const parsed = element.safeParse(others);
    const usual = parsed.success ? (parsed.data as Entry)[name] : undefined;
    if (parsed.success && JSON.stringify(usual) === JSON.stringify(value)) short = others;
  }
  const { name, ...fields } = short;
  return { name, ...fields };
}

/** The variable that a comment proposes for a secret: `OPS_CHAT_TOKEN`. */
const variableOf = (name: string, field: string): string =>
  `${name} ${field.replaceAll(/[A-Z]/g, ' $&')}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, '_');

/** A configuration as YAML, with the place of each secret as a comment. */
export function writeConfiguration(configuration: Configuration): string {
  const named = SECTION_NAMES.map((section) => {
    const entries = (configuration[section] ?? []) as unknown as Entry[];
    return [section, entries.map((entry) => withoutDefaults(section, entry))] as const;
  });
  const document = new Document(Object.fromEntries(named));
  document.commentBefore = HEADER;
  for (const [section, entries] of named) {
    for (const [index, entry] of entries.entries()) {
      const node = document.getIn([section, index]);
      if (isMap(node) && hasSecrets(section, entry)) commentSecrets(node, section, entry);
    }
  }
  return document.toString({ lineWidth: 120 });
}

/** Of a source those alone that require a signature have a secret in the file. */
const hasSecrets = (section: SectionName, { auth }: Entry): boolean =>
  section !== 'sources' || ((auth as ConfiguredSource['auth'] | undefined)?.signature ?? null) !== null;

function commentSecrets(node: YAMLMap, section: SectionName, entry: Entry): void {
  const lines = secretFieldsOf(section, entry['kind']).map(
    (field) => ` ${field}: { env: ${variableOf(String(entry['name']), field)} }`,
  );
  if (lines.length > 0) node.comment = lines.join('\n');
}
