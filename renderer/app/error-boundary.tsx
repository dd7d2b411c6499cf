import { Component, type ReactNode } from 'react';
import { ErrorPage } from './error-page.tsx';
import { Standalone } from './standalone.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Whether there is no layout around the children, so that the error page stands alone. */
  standalone?: boolean;
}

/** Shows the error page in place of children that failed to render. React offers this to class components only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const page = <ErrorPage error={error} />;
    return this.props.standalone ? <Standalone>{page}</Standalone> : page;
  }
}
