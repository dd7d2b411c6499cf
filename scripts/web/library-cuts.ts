/** One replacement in a library's file. */
export interface LibraryCut {
  find: RegExp;
  /** As the second argument of `replaceAll`. */
  replace: string;
}

/** Cuts of the files whose path matches. */
interface CutFile {
  file: RegExp;
  cuts: LibraryCut[];
}

/**
 * What the web app cannot reach in libraries, and the minifier cannot see that it cannot. Nothing here changes what the
 * app does: a context without a provider has its default value, and a name for the developer tools is for developers.
 */
export const LIBRARY_CUTS: readonly CutFile[] = [
  {
    // The app renders React Router's plain Router: data routers, its framework and their forms are never there.
    file: /[\\/]react-router[\\/]dist[\\/]production[\\/]chunk-[^\\/]+\.mjs$/,
    cuts: [
      { find: /\bReact\d*\.useContext\(DataRouter(?:State)?Context\)/g, replace: 'null' },
      { find: /\bReact\d*\.useContext\(FrameworkContext\)/g, replace: 'undefined' },
      { find: /let \{ isDataRoute \} = React\d*\.useContext\(RouteContext\);/g, replace: 'const isDataRoute = false;' },
      {
        find: /(function (?:useRoutesImpl|_renderMatches)\([^)]*), dataRouterOpts\) \{/g,
        replace: '$1) { const dataRouterOpts = undefined;',
      },
      {
        find: /let \[shouldPrefetch, prefetchRef, prefetchHandlers\] = usePrefetchBehavior\([^)]*\);/g,
        replace: 'const shouldPrefetch = false, prefetchRef = undefined, prefetchHandlers = {};',
      },
      // With these gone, the minifier leaves out the components and contexts that nothing names.
      { find: /^(?:\w+\.displayName|RenderErrorBoundary\.contextType) = .*;$/gm, replace: '' },
      { find: /\bReact\d*\.(?:createContext|forwardRef|memo)\(/g, replace: '/* @__PURE__ */ $&' },
    ],
  },
  {
    // Warnings to developers: in production nothing shows them (NODE_ENV in webpack.renderer.config.ts).
    file: /[\\/]@blueprintjs[\\/]core[\\/]lib[\\/]esm[\\/]common[\\/]errors\.js$/,
    cuts: [{ find: /^export const (\w+) =(?:.|\n {4})*?;$/gm, replace: "export const $1 = '';" }],
  },
];
