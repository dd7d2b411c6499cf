import type { ReactNode } from 'react';

export const web = 'Web';
export const webBrowser = 'Web Browser';
export const about = 'About';
export const version = (version: string) => `Version ${version}`;
export const buildDate = 'Build date';
export const platform = 'Platform';
export const pressToOpenDevTools = (keys: ReactNode) => <>Press {keys} to open DevTools.</>;
export const openWebVersion = 'Open web version';
export const sourceRepository = 'Source repository';
