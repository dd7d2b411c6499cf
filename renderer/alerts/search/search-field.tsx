import { Button } from '@blueprintjs/core';
import { CrossIcon, SearchIcon, SmallCrossIcon } from '@blueprintjs/icons';
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useReducer,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import { isTimeKey, tokensOf } from '#backend/contract/search.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useSearchedFilter } from '#renderer/alerts/list/saved-filter.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { VIEW_VERSION } from '#renderer/lib/paths.ts';
import { noteSearchField } from '#renderer/lib/search-target.ts';
import { type TypedSearch, applyChange, ask, follow, startTyped } from '#renderer/lib/typed-search.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { Combobox, ComboboxField } from '#renderer/ui/combobox/combobox.tsx';
import { useCompletions } from './search-completions.ts';
import { CompletionList, CompletionPopup, DayPicker } from './completion-list.tsx';
import { type TypedParts, searchOf, splitSearch } from './search-text.ts';
import { completePart, finishParts, hintIn, openPart, timeMeaning } from './typed-parts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './search-field.module.css';

/** How long nothing must be typed before the server is asked, in milliseconds. */
const PAUSE_MS = 200;

/** Parts of an address that narrow no list. */
const NEUTRAL = new Set(['sort', VIEW_VERSION]);

/** Whether the address narrows the list that it shows. */
const isWhole = (address: string): boolean =>
  [...new URLSearchParams(address).keys()].every((name) => NEUTRAL.has(name));

const STATUS = { role: 'status' };

interface SearchFieldProps {
  /** The list that is searched. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  /** Where that list is, when it is not the one on screen: Enter leads there. */
  leadsTo?: string | undefined;
}

/** What is typed, in parts, and how far the address has followed it. */
interface Typed {
  followed: TypedSearch;
  parts: TypedParts;
}
const startTyping = (search: string): Typed => ({ followed: startTyped(search), parts: splitSearch(search) });

/** Searches a list: words, phrases, and keys whose finished values become chips. */
export function SearchField({ list: named, leadsTo }: SearchFieldProps) {
  const { list, filter, search: written, changeSearch } = useSearchedFilter(named);
  const navigate = useNavigate();
  const address = useLocation().search;
  const search = leadsTo === undefined ? written : '';
  const [typed, setTyped] = useReducer(applyChange<Typed>, search, startTyping);
  if (typed.followed.search !== search) {
    setTyped(({ followed, parts: before }) => ({
      followed: follow(followed, search),
      parts: followed.asked.includes(search) ? before : splitSearch(search),
    }));
  }
  const { parts } = typed;
  const setParts = (next: TypedParts): void => setTyped((before) => ({ ...before, parts: next }));
  const [isFocused, setFocused] = useState(false);
  const [dismissed, setDismissed] = useState('');
  const [isPicking, setPicking] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const wanted = searchOf(parts);
  const lookFor = useCallback(
    (text: string): void => {
      if (leadsTo !== undefined) return;
      setTyped((before) => ({ ...before, followed: ask(before.followed, text) }));
      changeSearch(text);
    },
    [changeSearch, leadsTo],
  );
  useEffect(() => {
    if (wanted === search) return undefined;
    const timer = setTimeout(() => lookFor(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, search, lookFor]);

  const open = isFocused && dismissed !== parts.text ? openPart(parts.text) : undefined;
  const searched =
    leadsTo === undefined
      ? { list, filter, isWhole: isWhole(address) }
      : { list, filter: undefined, isWhole: wanted === '' };
  const completions = useCompletions(searched, open?.key, open?.value ?? '');
  // A number may become a day.
  const takesDay = isTimeKey(open?.key) && (completions.length > 0 || /^\d/.test(open?.value ?? ''));
  const isOpen = open !== undefined && (completions.length > 0 || takesDay);
  const hint = isFocused ? hintIn(parts.text) : undefined;
  const isEmpty = parts.text === '' && parts.chips.length === 0;

  const complete = (value: string): void => {
    if (!open) return;
    setParts(completePart(parts, open.key, value));
    field.current?.focus();
  };
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget === field.current || popup.current?.contains(relatedTarget)) return;
    setFocused(false);
    setPicking(false);
  };
  const clear = (): void => {
    setParts({ chips: [], text: '' });
    lookFor('');
  };
  const onEscape = (): void => {
    if (isPicking) setPicking(false);
    else if (isOpen) setDismissed(parts.text);
    else if (isEmpty) field.current?.blur();
    else clear();
  };
  const onBackspace = (): boolean => {
    const last = parts.chips.at(-1);
    if (last === undefined || field.current?.selectionStart !== 0 || field.current.selectionEnd !== 0) return false;
    setParts({ chips: parts.chips.slice(0, -1), text: parts.text === '' ? last : `${last} ${parts.text}` });
    setDismissed('');
    return true;
  };
  const onEnter = (): void => {
    const finished = finishParts({ ...parts, text: `${parts.text} ` });
    if (hintIn(finished.text) !== undefined) {
      // The blank at its end has the hint shown, where the value can be corrected.
      setParts(finished);
      return;
    }
    setParts({ ...finished, text: finished.text.trimEnd() });
    const text = searchOf(finished);
    if (leadsTo !== undefined && text !== '') {
      void navigate({ pathname: leadsTo, search: `?${new URLSearchParams({ search: text })}` });
    }
    lookFor(text);
    // From here on keys are for the list.
    field.current?.blur();
  };
  const onKey = (event: KeyboardEvent, option: HTMLElement | null): void => {
    const choose = option ? () => option.click() : undefined;
    const keys: Record<string, (() => boolean | void) | undefined> = {
      Escape: onEscape,
      Backspace: onBackspace,
      // What is typed out needs no completion.
      Enter: option && option.dataset['value'] !== open?.value ? choose : onEnter,
      Tab: event.shiftKey ? undefined : choose,
    };
    const act = keys[event.key];
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Combobox text={parts.text} isOpen={isOpen && !isPicking}>
      <search className={styles.search} data-filled={!isEmpty || undefined}>
        <div ref={box} className={styles.box}>
          <SearchIcon className={styles.icon} />
          {parts.chips.map((chip) => (
            <Chip
              key={chip}
              chip={chip}
              onRemove={() => {
                setParts({ ...parts, chips: parts.chips.filter((one) => one !== chip) });
                field.current?.focus();
              }}
            />
          ))}
          <ComboboxField
            ref={(input) => {
              field.current = input;
              noteSearchField(input);
            }}
            className={styles.input}
            aria-label={texts.searchAlerts}
            aria-keyshortcuts="/"
            aria-describedby={hint === undefined ? undefined : `${id}-hint`}
            placeholder={parts.chips.length === 0 ? texts.searchAlerts : ''}
            spellCheck={false}
            maxLength={MAX_QUERY_LENGTH}
            value={parts.text}
            onChange={({ currentTarget }) => {
              setParts(finishParts({ ...parts, text: currentTarget.value }));
              setDismissed('');
              setPicking(false);
            }}
            onFocus={() => {
              setFocused(true);
              setPicking(false);
            }}
            onBlur={leave}
            onKey={onKey}
          />
          {isEmpty ? (
            <kbd className={`ad-kbd ad-kbd--hint ${styles.key}`} aria-hidden="true">
              /
            </kbd>
          ) : (
            <Button
              className={styles.clear}
              variant="minimal"
              icon={<CrossIcon size={14} />}
              aria-label={pageTexts.clearSearch}
              onClick={() => {
                clear();
                field.current?.focus();
              }}
            />
          )}
        </div>
        {isOpen && (
          <CompletionPopup popup={popup} anchor={box} onLeave={leave}>
            {isPicking && takesDay ? (
              <DayPicker label={open.key} typed={open.value} onTake={complete} onClose={() => field.current?.focus()} />
            ) : (
              <CompletionList
                label={open.key}
                completions={completions}
                onTake={complete}
                onPick={takesDay ? () => setPicking(true) : undefined}
              />
            )}
          </CompletionPopup>
        )}
        <p id={`${id}-hint`} className={hint === undefined ? 'ad-hidden' : styles.hint} {...STATUS}>
          {hint}
        </p>
      </search>
    </Combobox>
  );
}

/** A finished part, with its key; a time says what it means now. */
function Chip({ chip, onRemove }: { chip: string; onRemove: () => void }) {
  const [token] = tokensOf(chip);
  const { key, value = '' } = token ?? {};
  const meaning = useNow((now) => timeMeaning(key, value, now));
  const shown = inertLine(value);
  return (
    <span className={styles.chip} title={meaning && `${key}: ${shown}`}>
      <span className={styles.chipText} data-time={meaning && key}>
        <span className={styles.chipKey}>
          {key}
          {meaning ? ' ' : ': '}
        </span>
        {meaning ? (
          <bdi>
            <span className={styles.chipWeekday}>{meaning.slice(0, WEEKDAY_LENGTH)}</span>
            {meaning.slice(WEEKDAY_LENGTH)}
          </bdi>
        ) : (
          <bdi>{shown}</bdi>
        )}
      </span>
      <button type="button" aria-label={texts.removeChip(key ?? '', shown)} tabIndex={-1} onClick={onRemove}>
        <SmallCrossIcon size={12} />
      </button>
    </span>
  );
}

/** "Mon, ", which is left out where there is little space. */
const WEEKDAY_LENGTH = 5;
