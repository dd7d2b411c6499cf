/** The Admin Panel, which every page of the administration leads back to. */
export const ADMIN_PANEL = { to: '/admin', title: 'Admin Panel' } as const;
