import type { CutFile } from './library-cut.ts';
import { REACT_DOM_CUTS } from './react-dom-cuts.ts';

/** The text of a check of React Router's, after what is checked. */
const MESSAGE =
  /(\b(?:invariant|warning|warningOnce)\((?:\/\/.*|[^`'"()/]|\([^()]*\)|"[^"]*")*?,\s*(?:\/\/.*\s*)*)(?:`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")(?=\s*\))/g;

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
      // What it says of mistakes in its use, to developers.
      { find: MESSAGE, replace: '$1"React Router"' },
      { find: /\bgetInvalidPathError\([^()]*\)(?=\s+\))/g, replace: '"React Router"' },
      { find: /^(function warning\(cond, message\) \{)[^]*?^\}$/gm, replace: '$1}' },
      { find: /\bif \(ENABLE_DEV_WARNINGS\)/g, replace: 'if (false)' },
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
  {
    // The names of all its classes, of which the minifier leaves out those that nothing reads once each is a constant.
    file: /[\\/]@blueprintjs[\\/]core[\\/]lib[\\/]esm[\\/]common[\\/]classes\.js$/,
    cuts: [
      { find: /^let NS = ("\w+");\n(?:if|else)[^]*?^\}\n(?=\/\/)/gm, replace: 'const NS = $1;' },
      { find: / = (?=(?:position|elevation|intent)Class\()/g, replace: ' = /* @__PURE__ */ ' },
    ],
  },
  {
    // The app's lists have one column that scrolls down.
    file: /[\\/]@tanstack[\\/]virtual-core[\\/]dist[\\/]esm[\\/]index\.js$/,
    cuts: [
      { find: /\b(?:(?:this|instance)\.)?options\.(?:horizontal|isRtl)\b/g, replace: 'false' },
      {
        find: /\bconst \{ horizontal, isRtl \} = (?:this|instance)\.options;/g,
        replace: 'const horizontal = false, isRtl = false;',
      },
      { find: /\bthis\.options\.lanes\b/g, replace: '1' },
      { find: /\blanes === 1\b/g, replace: 'true' },
      { find: /\blanes > 1\b/g, replace: 'false' },
      { find: /\bthis\.(?:lanesSettling|lanesChangedFlag)\b(?! =)/g, replace: 'false' },
    ],
  },
  REACT_DOM_CUTS,
];
