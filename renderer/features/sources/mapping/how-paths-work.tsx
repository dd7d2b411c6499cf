import { PopupKind } from '@blueprintjs/core';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import * as styles from './mapping.module.css';

const EXAMPLES = [
  ['labels.severity', 'relative to the element that becomes the alert'],
  ['$.receiver', 'from the root of the body'],
  ["tags[0], labels['k8s.io/app']", 'an element of a list, a name with dots'],
  ['$..message', 'JSONPath (RFC 9535), at most 50 ms'],
  ['header: x-tenant', 'a request header'],
  ['=Nordwind', 'a fixed text'],
  ['{{name}} is {{status}}', 'a template of any paths above, in text fields; missing values are empty'],
] as const;

const load = async () => PathHelp;

/** What a path can be, by examples. */
export function HowPathsWork() {
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.DIALOG}
      load={load}
      content={{}}
      button={{ className: styles.how, variant: 'minimal', text: 'How paths work' }}
    />
  );
}

function PathHelp() {
  return (
    <dl className={styles.pathHelp}>
      {EXAMPLES.map(([path, text]) => (
        <div key={path}>
          <dt>
            <code className="ad-code">{path}</code>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
