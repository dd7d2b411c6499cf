import { type OxlintOverride, defineConfig } from 'oxlint';

/** The renderer's domain modules, and the files of each that the others may import. */
const rendererDomains: Record<string, string[]> = {
  alerts: [
    'data/alert-labels.ts',
    'data/list-cache.ts',
    'data/alert-queries.ts',
    'data/list-state.ts',
    'data/problem-labels.ts',
    'card/severity-mark.tsx',
    'list/list-filter.ts',
    'list/saved-filter.ts',
    'search/search-field.tsx',
    'search/counted-search.tsx',
    'search/search-text.ts',
    'drag/drag.ts',
  ],
  folders: ['data/**', 'folder-dot.tsx'],
  maintenance: ['maintenance-banner.tsx', 'maintenance-data.ts'],
  mutes: ['exceptions.ts', 'mutes.ts', 'mute-ask.ts', 'mute-ends.ts', 'mute-menu.tsx'],
  notifications: ['browser-notifications.ts'],
  push: ['push-state.ts', 'sent-push.ts', 'service-worker.ts', 'worker-messages.ts'],
  session: ['go-to-provider.ts', 'list-orders.ts', 'proof-tab.ts', 'session.ts', 'sign-out.ts'],
  'second-step': [
    'passkey-browser.ts',
    'proof-gate.tsx',
    'second-step.ts',
    'second-step-panel.tsx',
    'set-up-screen.tsx',
  ],
  views: ['save-view.ts', 'view-labels.ts'],
  toasts: [
    'news-over.ts',
    'recent-toasts.ts',
    'stored-recent.ts',
    'toast-card.tsx',
    'toast-queue.ts',
    'toast.ts',
    'toaster.module.css',
    'undo-stack.ts',
    'undoable-deletion.ts',
    'use-toast-card.ts',
  ],
};

/** One rule of who may import whom. */
interface ImportRule {
  files: string[];
  mayImport: string[];
  because: string;
}

/** Areas of the backend and their folders, in order: each imports those before it. `*.ts` are an area's own files. */
export const areas: [area: string, folders: string[]][] = [
  ['contract', []],
  [
    'platform',
    [
      'logger',
      'metrics',
      'tracing',
      'endpoint',
      'database',
      'secrets',
      'live',
      'feed',
      'cluster',
      'mail',
      'requests',
      'search',
    ],
  ],
  ['identity', ['audit', 'users', 'factors', 'sessions', 'accounts', 'tokens', 'second-step', 'oidc', 'sign-in']],
  ['alerts', 'alert lists groups maintenance notices commands folders notes mutes views insight rules'.split(' ')],
  [
    'intake',
    [
      'json',
      'signatures',
      'understanding',
      'adapters',
      'reading',
      'delivery-log',
      'sources',
      'write',
      'webhooks',
      'mail',
      'heartbeats',
      'opsgenie',
    ],
  ],
  [
    'outgoing',
    [
      'notifications',
      'push',
      'mails',
      'destinations',
      'people',
      'rules',
      'silences',
      'messages',
      'tickets',
      'chat',
      'ladders',
      'wallboard',
      '*.ts',
    ],
  ],
  ['transfer', ['export', 'import', 'configuration', 'retention', 'backup']],
  ['http', ['api-document', '*.ts']],
  ['server', ['*.ts', 'workers']],
];

/** Understanding senders is pure: a request in, alerts out. These folders know no database, and nobody who asks. */
const PURE = new Set(['json', 'signatures', 'understanding', 'adapters', 'reading']);

const within = (area: string, folder: string): string => `backend/${area}/${folder}${folder === '*.ts' ? '' : '/**'}`;

/** What modules below the server may know of the live connections: where they publish. */
const NO_SOCKETS = ['!#backend/platform/live/**', '#backend/platform/live/event-bus.ts'];

const backend: ImportRule[] = [
  {
    files: ['backend/contract/**'],
    mayImport: [],
    because: 'The contract crosses the wire: it imports zod and nothing else.',
  },
  ...areas.flatMap(([area, folders], at) =>
    folders.map((folder, index): ImportRule => {
      const own = folders.slice(0, index + 1).map((before) => `#${within(area, before)}`);
      const isPure = area === 'intake' && PURE.has(folder);
      const before = isPure
        ? ['#backend/contract/**', '#backend/platform/endpoint/**']
        : areas.slice(0, at).map(([name]) => `#backend/${name}/**`);
      return {
        files: [within(area, folder)],
        mayImport: [
          ...before,
          ...(area === 'platform' || area === 'server' ? [] : NO_SOCKETS),
          ...own,
          ...(area === 'server' ? ['#backend/build-paths.ts'] : []),
        ],
        because: 'Areas and folders import what stands before them in the table of oxlint.config.ts.',
      };
    }),
  ),
];

/**
 * Who may import whom. Modules of another folder are named by their `#…` path (see "imports" in package.json), never
 * by `../`, so that each rule is a plain list of paths. A module's own files are imported as `./file.ts`.
 */
const modules: ImportRule[] = [
  ...backend,
  {
    files: ['renderer/lib/**'],
    mayImport: ['#backend/contract/**', '#renderer/lib/**', '#renderer/styles/**'],
    because: 'The library knows no domain.',
  },
  {
    files: ['renderer/ui/**'],
    mayImport: ['#backend/contract/**', '#renderer/{lib,ui}/**', '#renderer/toasts/toast.ts'],
    because: 'Shared components know no domain.',
  },
  {
    files: ['renderer/service-worker/**'],
    mayImport: [
      '#backend/contract/**',
      '#renderer/{lib,service-worker}/**',
      '#renderer/notifications/notice-state.ts',
      '#renderer/push/worker-messages.ts',
    ],
    because: 'The service worker is no page: it shares with pages what needs none.',
  },
  ...Object.keys(rendererDomains).map((domain) => ({
    files: [`renderer/${domain}/**`],
    mayImport: [
      '#backend/contract/**',
      '#renderer/{lib,ui}/**',
      `#renderer/${domain}/**`,
      ...Object.entries(rendererDomains).flatMap(([other, files]) => files.map((file) => `#renderer/${other}/${file}`)),
    ],
    because: "Domain modules import the library, shared components and each other's public files.",
  })),
  {
    files: ['renderer/features/**'],
    mayImport: ['#backend/contract/**', '#renderer/**', '!#renderer/{app,live,desktop,service-worker,features}/**'],
    because: 'Features are pages: they know the domain modules, never each other.',
  },
  {
    files: ['renderer/features/sources/**'],
    mayImport: [
      '#backend/contract/**',
      '#renderer/**',
      '!#renderer/{app,live,desktop,service-worker,features}/**',
      '#renderer/features/sources/**',
    ],
    because: 'A feature with folders of its own: they know each other, and no other feature.',
  },
  {
    files: ['renderer/live/**'],
    mayImport: ['#backend/contract/**', '#renderer/**', '!#renderer/{app,desktop,service-worker,features}/**'],
    because: 'The app composes live; live changes the data of domain modules.',
  },
  {
    files: ['renderer/app/**'],
    mayImport: ['#backend/contract/**', '#renderer/**'],
    because: 'The renderer knows the backend by its contract only.',
  },
  {
    files: ['electron/**'],
    mayImport: ['#backend/contract/**', '#electron/**'],
    because: 'Electron starts the backend as a child and loads the renderer as a page.',
  },
];

const isOfWebApp = (file: string): boolean => /^(?:backend\/contract|renderer)\//.test(file);

const PARENT_PATHS = { group: ['../**'], message: 'Name modules of other folders by their # path.' };

/** A method for everything on each schema is a sixth of the web app's first load. */
const WHOLE_ZOD = { regex: '^zod$', message: 'What the web app loads is written with zod/mini.' };

const imports = (
  mayImport: string[],
  message: string,
  more: (typeof WHOLE_ZOD)[] = [],
): NonNullable<OxlintOverride['rules']> => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        PARENT_PATHS,
        { group: ['#*/**', ...mayImport.map((path) => (path.startsWith('!') ? path.slice(1) : `!${path}`))], message },
        ...more,
      ],
    },
  ],
});

/** The renderer's side of the bridge: as the app's other parts, and the types of the bridge, never its code. */
const desktopImports: NonNullable<OxlintOverride['rules']> = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        PARENT_PATHS,
        {
          group: ['#{backend,scripts,tests}/**', '!#backend/contract/**', '#renderer/app/**'],
          message: 'The app composes desktop.',
        },
        { regex: '^#electron/', allowTypeImports: true, message: 'Import the types of the bridge only.' },
      ],
    },
  ],
};

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'no-console': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'max-lines': ['error', { max: 300 }],
    'no-restricted-imports': ['error', { patterns: [PARENT_PATHS] }],
    // The new JSX transform needs no React in scope.
    'react/react-in-jsx-scope': 'off',
    // It warns of what React's compiler must not memoise; that compiler is not used here.
    'react/incompatible-library': 'off',
    // Independent awaits in a loop are sometimes the point: order matters in stores and scripts.
    'no-await-in-loop': 'off',
    // zod/mini's name for what a field is when it is absent.
    'no-underscore-dangle': ['error', { allow: ['_default'] }],
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
  },
  overrides: [
    ...modules.map(({ files, mayImport, because }) => ({
      files,
      rules: imports(mayImport, because, files.some(isOfWebApp) ? [WHOLE_ZOD] : []),
    })),
    { files: ['renderer/desktop/**'], rules: desktopImports },
    // Tests stand beside the code and may use whatever it takes to see it from outside.
    { files: ['**/*.test.{ts,tsx}'], rules: { 'no-restricted-imports': ['error', { patterns: [PARENT_PATHS] }] } },
    // What a text fills in is named as what it is, which other texts are called too.
    { files: ['renderer/**/{texts,*-texts}.{ts,tsx}'], rules: { 'no-shadow': 'off' } },
    { files: ['*.config.ts', '**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['scripts/**', 'bench/**', '*.config.ts'], rules: { 'no-console': 'off' } },
    // The double's parts and the world that they stand in know each other by type.
    { files: ['tests/desktop/double/**'], rules: { 'import/no-cycle': 'error' } },
  ],
  ignorePatterns: ['/dist/**', '/data/**', 'node_modules/**', '/bench/results/**'],
});
