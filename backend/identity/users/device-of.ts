/** Browsers by what they call themselves, the particular before those that they say they are like. */
const BROWSERS: [mark: RegExp, name: string][] = [
  [/\bElectron\//, 'Desktop app'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** Systems, likewise: an iPhone says "like Mac OS X", an Android that it is a Linux. */
const SYSTEMS: [mark: RegExp, name: string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a person calls the browser that sent this `User-Agent`, e.g. "Chrome on Windows". */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === undefined && system === undefined) return 'An unknown browser';
  return system === undefined ? `${browser}` : `${browser ?? 'A browser'} on ${system}`;
}

const nameIn = (marks: typeof BROWSERS, userAgent: string): string | undefined =>
  marks.find(([mark]) => mark.test(userAgent))?.[1];
