import { type ComponentType, useEffect, useRef, useState } from 'react';
import { loadWithRetry } from '#renderer/lib/lazy-part.ts';
import { ProofCancelled, onProofDue } from '#renderer/lib/proof-due.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import type { ProofDialogProps } from './proof-dialog.tsx';
import * as texts from './texts.ts';

const loadDialog = () =>
  loadWithRetry<ProofDialogProps>(
    async () => (await import(/* webpackChunkName: "proof" */ './proof-dialog.tsx')).ProofDialog,
    'report',
  );

/** What becomes of the calls that wait for a proof. */
interface Asked {
  onProved: () => void;
  onCancelled: () => void;
}

/** Asks who it is, over whatever screen or dialog wants to know, when the server says that a proof is due. */
export function ProofGate() {
  const { shown, open } = useDialog<Asked>();
  const [Dialog, setDialog] = useState<ComponentType<ProofDialogProps>>();
  const cancel = useRef<() => void>(undefined);
  useEffect(() => {
    const end = onProofDue(async () => {
      const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      const part = await loadDialog();
      if (!part) throw new Error(texts.partOfAppCouldNot);
      setDialog(() => part);
      await new Promise<void>((onProved, reject) => {
        cancel.current = () => reject(new ProofCancelled());
        open({ onProved, onCancelled: cancel.current }, opener);
      });
    });
    return () => {
      end();
      // Signed out meanwhile: nobody answers any more.
      cancel.current?.();
    };
  }, [open]);
  return shown && Dialog && <Dialog key={shown.key} presence={shown.presence} {...shown.subject} />;
}
