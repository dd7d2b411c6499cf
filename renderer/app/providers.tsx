import { OverlaysProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { watchFirstScreen } from '#renderer/lib/first-screen.ts';
import { createQueryClient } from './query-client.ts';

/** What every screen stands on: the query cache, Blueprint's overlay stack, the router. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  useEffect(() => void watchFirstScreen(client), [client]);
  return (
    <QueryClientProvider client={client}>
      <OverlaysProvider>
        <BrowserRouter>{children}</BrowserRouter>
      </OverlaysProvider>
    </QueryClientProvider>
  );
}
