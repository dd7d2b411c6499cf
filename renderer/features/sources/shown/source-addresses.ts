/** Addresses of the pages about sources. */
export const SOURCES_PAGE = '/admin/sources';
export const NEW_SOURCE_PAGE = `${SOURCES_PAGE}/new`;
export const UNKNOWN_KEYS_PAGE = `${SOURCES_PAGE}/unknown-keys`;

export type SourceTab = 'deliveries' | 'set-up' | 'mapping' | 'settings';

/** Page of a source: its deliveries, or another tab. */
export const pageOf = (id: string, tab: SourceTab = 'deliveries'): string =>
  `${SOURCES_PAGE}/${encodeURIComponent(id)}/${tab}`;

/** Page of one delivery. */
export const deliveryPageOf = (sourceId: string, deliveryId: string): string =>
  `${pageOf(sourceId)}/${encodeURIComponent(deliveryId)}`;

/** The address that keys in headers are posted to. */
export const webhookAddress = (): string => `${window.location.origin}/webhook`;
