import { PopupKind } from '@blueprintjs/core';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import * as texts from './texts.ts';
import * as styles from './mapping.module.css';

const EXAMPLES = [
  ['labels.severity', texts.relativeToElementThatBecomes],
  ['$.receiver', texts.fromRootOfBody],
  ["tags[0], labels['k8s.io/app']", texts.elementOfListNameWith],
  ['$..message', texts.jSONPathRfc9535AtMost],
  [texts.headerXTenant, texts.requestHeader],
  ['=Nordwind', texts.fixedText],
  ['{{name}} is {{status}}', texts.templateOfAnyPathsAbove],
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
      button={{ className: styles.how, variant: 'minimal', text: texts.howPathsWork }}
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
