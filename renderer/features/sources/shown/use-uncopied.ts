import { useState } from 'react';
import type { SecretKind } from '#backend/contract/source.ts';

/** A secret that a page shows once. */
export interface ShownSecret {
  kind: SecretKind;
  text: string;
}

/** Which of the secrets of a page nobody has copied yet. A new one of the same kind is another. */
export function useUncopied(secrets: readonly ShownSecret[]) {
  const [copied, setCopied] = useState<readonly string[]>([]);
  return {
    uncopied: secrets.filter(({ text }) => !copied.includes(text)),
    onCopied(kinds: readonly SecretKind[]) {
      const texts = secrets.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
      setCopied((now) => [...now, ...texts]);
    },
  };
}
