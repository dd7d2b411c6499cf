import { Button } from '@blueprintjs/core';
import { KeyIcon, TrashIcon } from '@blueprintjs/icons';
import { useId } from 'react';
import type { ApiKey } from '#backend/contract/api-key.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatLongDate } from '#renderer/lib/times.ts';
import { lastUsedWords } from './last-used-words.ts';

/** A key: its name, when it was created and last used, and its delete button. */
export function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: (apiKey: ApiKey) => void }) {
  const nameId = useId();
  const { createdAt, lastUsedAt } = apiKey;
  const name = inertLine(apiKey.name);
  return (
    <li className="ad-key" aria-labelledby={nameId}>
      <KeyIcon className="ad-key-icon" />
      <span className="ad-key-name" id={nameId} dir="auto" data-tip={name}>
        {name}
      </span>
      <time
        className="ad-key-date"
        dateTime={createdAt}
        data-tip={formatExactTime(new Date(createdAt))}
        data-tip-always
      >
        Created {formatLongDate(new Date(createdAt))}
      </time>
      {lastUsedAt === null ? (
        <span className="ad-key-date ad-key-used">{lastUsedWords(apiKey)}</span>
      ) : (
        <time
          className="ad-key-date ad-key-used"
          dateTime={lastUsedAt}
          data-tip={formatExactTime(new Date(lastUsedAt))}
          data-tip-always
        >
          {lastUsedWords(apiKey)}
        </time>
      )}
      <Button
        className="ad-key-delete"
        variant="minimal"
        icon={<TrashIcon />}
        aria-label="Delete API key"
        aria-describedby={nameId}
        aria-haspopup="dialog"
        data-tip="Delete API key"
        data-tip-always
        onClick={() => onDelete(apiKey)}
      />
    </li>
  );
}
