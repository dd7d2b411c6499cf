import { writeTime } from '#renderer/lib/times.ts';
import { Button, InputGroup, SegmentedControl } from '@blueprintjs/core';
import { DuplicateIcon, SearchIcon, TickIcon } from '@blueprintjs/icons';
import { useMemo, useState } from 'react';
import type { Delivery } from '#backend/contract/delivery.ts';
import { formatBytes } from '#renderer/features/sources/shown/amounts.ts';
import type { JsonLine } from '#renderer/lib/json-lines.ts';
import { layOut } from '#renderer/lib/json-lines.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import { isEmail } from '#renderer/features/sources/shown/is-email.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { BodyLines } from './body-lines.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as deliveryPageStyles from './delivery-page.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as styles from './request-panel.module.css';

/** Headers that say most, in the order in which they are shown. */
const FIRST = [
  'authorization',
  'x-webhook-auth',
  'x-api-key',
  'x-gitlab-token',
  'x-github-event',
  'content-type',
  'user-agent',
];
const SHOWN_HEADERS = 3;
/** Of an email: who it is from, to whom, its subject, and what SPF, DKIM and DMARC say. They come in this order. */
const SHOWN_OF_MAIL = 6;

/** Place of a header among those that say most; others come after them. */
const rankOf = (name: string): number => (FIRST.indexOf(name.toLowerCase()) + FIRST.length + 1) % (FIRST.length + 1);

interface RequestPanelProps {
  delivery: Delivery;
  /** The body laid out; undefined when it is not JSON. */
  lines: readonly JsonLine[] | undefined;
  /** The line to mark, or -1. */
  marked: number;
}

/** The request as it came: address, sender, headers, body. */
export function RequestPanel({ delivery, lines, marked }: RequestPanelProps) {
  const [isAll, setAll] = useState(false);
  const isMail = isEmail(delivery);
  const headers = isMail ? delivery.headers : delivery.headers.toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  const most = isMail ? SHOWN_OF_MAIL : SHOWN_HEADERS;
  const shown = isAll ? headers : headers.slice(0, most);
  const rest = headers.length - shown.length;
  return (
    <section className={`${panelStyles.panel} ${styles.request}`} aria-labelledby="ad-request-title">
      <div className={deliveryPageStyles.panelHead}>
        <h2 id="ad-request-title">{isMail ? pageTexts.email : texts.request}</h2>
        {delivery.keptUntil !== null && (
          <span className={deliveryPageStyles.side}>
            {texts.keptUntil(writeTime(new Date(delivery.keptUntil), 'MMM d'))}
          </span>
        )}
      </div>
      <dl className={styles.requestFacts}>
        {!isMail && (
          <div>
            <dt>{texts.address}</dt>
            <dd>
              <strong>{delivery.method}</strong> <bdi>{delivery.path}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{isMail ? texts.mailServer : texts.from}</dt>
          <dd>{delivery.remoteAddress}</dd>
        </div>
        {keyed(shown).map(({ key, item: [name, value] }) => (
          <div key={key}>
            <dt data-tip={name}>{name}</dt>
            <dd>
              <bdi>{inertText(value)}</bdi>
            </dd>
          </div>
        ))}
        {(rest > 0 || isAll) && headers.length > most && (
          <div>
            <dt />
            <dd>
              <button type="button" className={styles.textButton} aria-expanded={isAll} onClick={() => setAll(!isAll)}>
                {isAll ? texts.fewerHeaders : texts.more(rest)}
              </button>
            </dd>
          </div>
        )}
      </dl>
      <BodyPart delivery={delivery} lines={lines} marked={marked} />
    </section>
  );
}

function BodyPart({ delivery, lines, marked }: RequestPanelProps) {
  const { body, size, isBodyCut } = delivery;
  const isMail = isEmail(delivery);
  const [isPretty, setPretty] = useState(true);
  const [text, setText] = useState('');
  const [hit, setHit] = useState(0);
  const { state, copy } = useCopy();
  const shown = useMemo<readonly JsonLine[]>(
    () => (isPretty && lines ? lines : rawLines(body ?? '')),
    [isPretty, lines, body],
  );
  const hits = useMemo(() => hitsOf(shown, text), [shown, text]);
  const current = hits.length === 0 ? -1 : (hits[hit % hits.length] ?? -1);
  return (
    <>
      <div className={styles.head}>
        <h3>
          {texts.body} <span>{formatBytes(size)}</span>
        </h3>
        {body !== null && (
          <>
            <InputGroup
              className={styles.find}
              type="search"
              leftElement={<SearchIcon className={sourcesStyles.fieldIcon} />}
              placeholder={texts.findInBody}
              aria-label={texts.findInBody}
              value={text}
              onValueChange={(value) => {
                setText(value);
                setHit(0);
              }}
              onKeyDown={({ key, shiftKey }) => {
                if (key === 'Enter' && hits.length > 0) setHit((hit + (shiftKey ? hits.length - 1 : 1)) % hits.length);
              }}
              {...(text !== '' && {
                rightElement: (
                  <output className={styles.hits}>
                    {hits.length === 0 ? texts.none : texts.valueOfHitsCount((hit % hits.length) + 1, hits.length)}
                  </output>
                ),
              })}
            />
            {lines && (
              <SegmentedControl
                aria-label={texts.bodyFormat}
                options={[
                  { label: texts.pretty, value: 'pretty' },
                  { label: texts.raw, value: 'raw' },
                ]}
                value={isPretty ? 'pretty' : 'raw'}
                onValueChange={(value) => setPretty(value === 'pretty')}
              />
            )}
            <Button
              variant="minimal"
              icon={state === 'copied' ? <TickIcon /> : <DuplicateIcon />}
              aria-label={texts.copyBody}
              onClick={() => void copy(isPretty && lines ? layOut(lines) : body)}
            />
          </>
        )}
      </div>
      {body === null ? (
        <p className={styles.none}>
          {size === 0 ? texts.requestHadNoBody : isMail ? texts.messageWasNotKept : sourceTexts.bodyNoLongerKept}
        </p>
      ) : (
        <BodyLines lines={shown} marked={isPretty ? marked : -1} current={current} text={text} />
      )}
      {isBodyCut && <p className={styles.none}>{texts.onlyBeginningOfBodyWas}</p>}
    </>
  );
}

const rawLines = (body: string): JsonLine[] =>
  body.split('\n').map((text) => ({ depth: 0, text, path: [], isLeaf: false, isEnd: true }));

/** Numbers of the lines that contain a text, whatever its case. */
function hitsOf(lines: readonly JsonLine[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) =>
    `${line.name ?? ''} ${line.text}`.toLowerCase().includes(wanted) ? [index] : [],
  );
}
