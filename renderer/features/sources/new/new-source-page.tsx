import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { putSource } from '#renderer/features/sources/data/get-sources.ts';
import { PathLine } from '#renderer/features/sources/shown/source-head.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { CreatedSource } from './created-source.tsx';
import type { MadeSource } from './make-source.ts';
import { NewSourceForm } from './new-source-form.tsx';

import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as sourceHeadStyles from '#renderer/features/sources/shown/source-head.module.css';
/** New source: who sends, under which name; then its address and secret, its set-up, and its first delivery. */
export function NewSourcePage() {
  const client = useQueryClient();
  // Nothing but this page has the secrets: they are gone with it.
  const [made, setMade] = useState<MadeSource>();
  return (
    <HoverTip className={`${pageHeadStyles.page} ${sourceHeadStyles.sourcePage}`}>
      <PathLine steps={[]} />
      {made ? (
        <CreatedSource made={made} />
      ) : (
        <NewSourceForm
          onMade={(created) => {
            putSource(client, created.source);
            setMade(created);
          }}
        />
      )}
    </HoverTip>
  );
}
