import { useEffect } from 'react';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { useInboxCount } from '#renderer/lib/alerts/get-inbox.ts';

/** The document title: the product's name, after the inbox's count when there is one. */
export function useDocumentTitle(): void {
  const count = useInboxCount() ?? 0;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${PRODUCT_NAME}` : PRODUCT_NAME;
    return () => {
      document.title = PRODUCT_NAME;
    };
  }, [count]);
}
