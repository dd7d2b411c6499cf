import type { ReactNode } from 'react';

export const otherMachinesCannotReach = (address: ReactNode, advice: ReactNode) => (
  <>
    Other machines cannot reach {address}. {advice}
  </>
);
export const serverAdvice = (host: ReactNode, publicUrl: ReactNode) => (
  <>
    To receive alerts from them, set {host} and {publicUrl} on the server and open Alertdesk at its public address.
  </>
);
