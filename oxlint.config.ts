import { type OxlintOverride, defineConfig } from 'oxlint';

/**
 * Who may import whom. Modules of another folder are named by their `#…` path (see "imports" in package.json), never
 * by `../`, so that each rule is a plain list of paths. A room's own files are imported as `./file.ts`.
 */
const rooms: { files: string[]; mayImport: string[]; because: string }[] = [
  {
    files: ['backend/contract/**'],
    mayImport: [],
    because: 'The contract crosses the wire: it imports zod and nothing else.',
  },
  {
    files: ['backend/endpoint/**', 'backend/config.ts', 'backend/logger.ts', 'backend/start-error.ts'],
    mayImport: ['#backend/contract/**', '#backend/endpoint/**'],
    because: 'A leaf of the backend: it knows the contract only.',
  },
  {
    files: ['backend/metrics/**'],
    mayImport: [],
    because: 'A leaf of the backend: rooms tell it what happens, it knows none of them.',
  },
  {
    files: ['backend/api-document/**'],
    mayImport: ['#backend/contract/**', '#backend/endpoint/**'],
    because: 'The document tells what endpoints and contract declare; it knows no room.',
  },
  {
    files: ['backend/database/**'],
    mayImport: [
      '#backend/contract/**',
      '#backend/database/**',
      '#backend/metrics/observers.ts',
      '#backend/*/*-entity.ts',
      '#backend/start-error.ts',
    ],
    because: 'The database knows the entities it stores, no room.',
  },
  {
    files: ['backend/search/**'],
    mayImport: ['#backend/search/**', '#backend/database/private-files.ts'],
    because: 'The search index reads alerts by itself, in a thread of its own.',
  },
  {
    files: [
      'backend/{ingest,alerts,folders,customers,alert-types,names,accounts,sessions,api-keys,push,secrets,audit}/**',
      'backend/notification-settings/**',
    ],
    mayImport: [
      '#backend/**',
      '!#backend/http/**',
      '!#backend/live/**',
      '#backend/live/event-bus.ts',
      '!#backend/main.ts',
      '!#backend/server.ts',
    ],
    because: 'Domain rooms publish events; they know neither the HTTP app nor the sockets.',
  },
  {
    files: ['backend/live/**'],
    mayImport: ['#backend/**', '!#backend/http/**', '!#backend/main.ts', '!#backend/server.ts'],
    because: 'Sockets do not know the HTTP app.',
  },
  {
    files: ['backend/live/event-bus.ts'],
    mayImport: ['#backend/contract/**', '#backend/endpoint/**'],
    because: 'The event bus is a leaf, so that every room may publish.',
  },
  {
    files: ['backend/http/**'],
    mayImport: ['#backend/**', '!#backend/main.ts', '!#backend/server.ts'],
    because: 'The HTTP app is composed by main, not the other way round.',
  },
  {
    files: ['renderer/{lib,ui}/**'],
    mayImport: ['#backend/contract/**', '#renderer/lib/**', '#renderer/ui/**'],
    because: 'What knows no feature.',
  },
  {
    files: ['renderer/service-worker/**'],
    mayImport: ['#backend/contract/**', '#renderer/lib/**', '#renderer/service-worker/**'],
    because: 'The service worker is no page: it shares the library with them.',
  },
  {
    files: ['renderer/features/**'],
    mayImport: ['#backend/contract/**', '#renderer/lib/**', '#renderer/ui/**'],
    because: 'Features know the library and the shared components, never each other.',
  },
  {
    files: ['renderer/{live,notifications}/**'],
    mayImport: ['#backend/contract/**', '#renderer/**', '!#renderer/app/**'],
    because: 'The app composes live and notifications.',
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
    'import/no-cycle': 'error',
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
    ...rooms.map(({ files, mayImport, because }) => ({
      files,
      rules: imports(mayImport, because, files.some(isOfWebApp) ? [WHOLE_ZOD] : []),
    })),
    { files: ['renderer/desktop/**'], rules: desktopImports },
    // Tests stand beside the code and may use whatever it takes to see it from outside.
    { files: ['**/*.test.{ts,tsx}'], rules: { 'no-restricted-imports': ['error', { patterns: [PARENT_PATHS] }] } },
    { files: ['*.config.ts', '**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['scripts/**', 'bench/**', '*.config.ts'], rules: { 'no-console': 'off' } },
  ],
  ignorePatterns: ['dist/**', 'data/**', 'node_modules/**', 'bench/results/**'],
});
