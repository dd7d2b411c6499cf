import './apply-theme-early.ts';
import { startEarly } from '#renderer/lib/early-start.ts';

// The page's first script, ahead of the app's own, which is much larger.
startEarly(document.currentScript?.dataset['signIn']?.split(' ') ?? []);
