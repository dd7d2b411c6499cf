import { InputGroup } from '@blueprintjs/core';
import { SearchIcon, TickCircleIcon } from '@blueprintjs/icons';
import { type KeyboardEvent, useRef, useState } from 'react';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { Sender } from '#backend/contract/sender.ts';
import { OFFERED_SENDERS, SET_UPS, findSenders } from '#renderer/features/sources/set-up/set-ups.ts';
import { SenderTile } from '#renderer/features/sources/shown/sender-tile.tsx';
import { StepMark } from './step-mark.tsx';
import * as texts from './texts.tsx';
import * as newSourceStyles from './new-source.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as styles from './sender-tiles.module.css';

interface SenderTilesProps {
  sender: Sender;
  onChoose: (sender: Sender) => void;
}

/** The senders to choose from, as radio buttons; what is typed goes to the search. */
export function SenderTiles({ sender, onChoose }: SenderTilesProps) {
  const [text, setText] = useState('');
  const group = useRef<HTMLFieldSetElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const found = findSenders(text);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const tiles = [...(group.current?.querySelectorAll<HTMLInputElement>('input') ?? [])];
    const current = tiles.findIndex((tile) => tile === document.activeElement);
    const next = tiles[neighbourOf(key, current, tiles)];
    if (next) {
      event.preventDefault();
      next.focus();
      next.click();
    } else if (key.length === 1 && /\S/.test(key)) field.current?.focus();
  };

  return (
    <section aria-labelledby="ad-sender-choice">
      <div className={newSourceStyles.head}>
        <h2 id="ad-sender-choice" className={newSourceStyles.title}>
          <StepMark step={1} />
          {texts.chooseSender}
        </h2>
        <InputGroup
          className={styles.newSearch}
          type="search"
          inputRef={field}
          leftElement={<SearchIcon className={sourcesStyles.fieldIcon} />}
          placeholder={texts.searchSenders(OFFERED_SENDERS.length)}
          aria-label={texts.searchSendersLabel}
          value={text}
          onValueChange={setText}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && found[0]) onChoose(found[0]);
            if (key === 'ArrowDown') group.current?.querySelector<HTMLElement>('input')?.focus();
          }}
        />
      </div>
      <fieldset ref={group} className={styles.tiles}>
        <legend className="ad-hidden">{texts.sender}</legend>
        {found.map((one) => (
          <label key={one} className={styles.tile}>
            <input
              type="radio"
              name="sender"
              className={styles.radio}
              checked={one === sender}
              onChange={() => onChoose(one)}
              onKeyDown={onKeyDown}
            />
            <SenderTile sender={one} isSmall />
            <span className={styles.tileName}>{SENDERS[one].name}</span>
            <span className={styles.tileWays}>{SET_UPS[one].ways}</span>
            {one === sender && <TickCircleIcon className={styles.tileTick} />}
          </label>
        ))}
      </fieldset>
      {/* Always there: what appears in it is read out. */}
      <output className={styles.newNone}>{found.length === 0 && texts.noSenderOfThisName}</output>
    </section>
  );
}

/** Index of the tile that a key leads to from the tile `current`, or -1. */
function neighbourOf(key: string, current: number, tiles: readonly HTMLElement[]): number {
  if (current === -1) return -1;
  const top = topOf(tiles[0]);
  const columns = Math.max(1, tiles.filter((tile) => topOf(tile) === top).length);
  const count = tiles.length;
  switch (key) {
    case 'ArrowRight':
      return (current + 1) % count;
    case 'ArrowLeft':
      return (current - 1 + count) % count;
    case 'ArrowDown':
      return current + columns < count ? current + columns : current % columns;
    case 'ArrowUp':
      return current - columns >= 0 ? current - columns : -1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}

/** Where the tile of a radio button begins. */
const topOf = (radio: HTMLElement | undefined): number | undefined => radio?.parentElement?.offsetTop;
