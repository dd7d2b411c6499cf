import * as Classes from '@blueprintjs/core/lib/cjs/common/classes.js';
import { type AtRule, type ChildNode, type Rule, parse } from 'postcss';
import type { Chunk, Compilation, Compiler, Module } from 'webpack';

/** Classes that Blueprint makes of the value of a prop: `intent="danger"` of a button puts `bp6-intent-danger` on it. */
const CLASSES_OF: Record<string, string> = {
  intent: 'bp6-intent-',
  size: 'bp6-',
  variant: 'bp6-',
  alignText: 'bp6-align-',
  alignIndicator: 'bp6-align-',
  elevation: 'bp6-elevation-',
};

/** A prop with all that its value may be, as far as it is said there: `intent: isLast ? "danger" : "primary"`. */
const PROP = new RegExp(`\\b(${Object.keys(CLASSES_OF).join('|')})(?:: |=)([^,}]*)`, 'g');

/** Blueprint's modules that name classes without putting them anywhere: the list of all, and texts of warnings. */
const NAMES_ALONE = /@blueprintjs[\\/]core[\\/]lib[\\/]esm[\\/]common[\\/](?:classes|errors)\.js$/;

/** Blueprint's classes by their names in its code. */
const KNOWN: Record<string, unknown> = Classes;

/** Which of Blueprint's classes a module can put on an element. */
function findClasses(source: string): string[] {
  const made = [...source.matchAll(PROP)].flatMap(([, prop = '', values = '']) =>
    [...values.matchAll(/(?<=["'])\w+(?=["'])|\b\d\b/g)].map(([value]) => `${CLASSES_OF[prop]}${value}`),
  );
  const named = [...source.matchAll(/\bClasses\.([A-Z_0-9]+)/g)].map(([, name = '']) => String(KNOWN[name]));
  return made.concat(named, source.match(/\bbp6-[\w-]+/g) ?? []);
}

/** What Blueprint puts beside a component's own class, by the value of a prop, which may come from anywhere. */
const MODIFIER = /^bp6-(?:align|elevation|end|intent|position|start)\b/;

/**
 * Finds which of Blueprint's classes any module may put on an element: those that one names, also where it imports the name
 * alone, those that begin with one of these, as of a part or of a transition, and every modifier.
 */
function findMore(modules: readonly string[]): (name: string) => boolean {
  const constants = modules.flatMap((source) => source.match(/\b[A-Z][A-Z_0-9]+\b/g) ?? []);
  const names = new Set([...modules.flatMap(findClasses), ...constants.flatMap((name) => KNOWN[name] ?? [])]);
  const isPartOfNamed = (name: string): boolean => {
    const end = name.lastIndexOf('-');
    const whole = name.slice(0, Math.max(end, 0));
    return whole !== '' && whole !== 'bp6-icon' && (names.has(whole) || isPartOfNamed(whole));
  };
  return (name) => names.has(name) || MODIFIER.test(name) || isPartOfNamed(name);
}

/** A selector without what is in brackets: `:not(.a)` asks for no class. */
function withoutArguments(selector: string): string {
  const shorter = selector.replaceAll(/\([^()]*\)/g, '');
  return shorter === selector ? selector : withoutArguments(shorter);
}

/** Every intent's class, as a list of selectors. */
const INTENTS = ['primary', 'success', 'warning', 'danger'].map((intent) => `.bp6-intent-${intent}`).join(', ');

/** Any intent's class, as Blueprint asks for it: alone in a list of selectors, or with others of one element. */
const ANY_INTENT = /\[class\*=["']?bp6-intent-?["']?\]/.source;
const ALONE = new RegExp(`(?<=[(,]\\s*)${ANY_INTENT}(?=\\s*[),])`, 'g');
const WITH_OTHERS = new RegExp(ANY_INTENT, 'g');

/**
 * Names the classes of intents where a selector asks for a part of the attribute, which has the same weight. Else the browser
 * looks at the icons in an element again whenever a class of that element changes, whichever it is.
 */
const nameIntents = (selector: string): string =>
  selector.replaceAll(ALONE, INTENTS).replaceAll(WITH_OTHERS, `:is(${INTENTS})`);

const isFrame = ({ parent }: Rule): boolean =>
  parent?.type === 'atrule' && 'name' in parent && String(parent.name).endsWith('keyframes');

/** Removes a node, and what is empty without it. */
function remove(node: ChildNode): void {
  const { parent } = node;
  node.remove();
  if (parent && parent.type !== 'root' && parent.nodes?.length === 0) remove(parent as ChildNode);
}

/** Icons are elements of their own here, not letters of Blueprint's font before what is in a button. */
const AS_LETTER = /\[class\*=["']?bp6-icon-|\.bp6-button[^\s>+~]*::?before$/;

function keepMatching(layer: AtRule, modules: readonly string[], isNamed: (name: string) => boolean): void {
  const hasScheme = modules.some((source) => source.includes('data-bp-color-scheme'));
  const canMatch = (selector: string): boolean =>
    (hasScheme || !selector.includes('[data-bp-color-scheme')) &&
    !AS_LETTER.test(selector) &&
    [...withoutArguments(selector).matchAll(/\.(bp6-[\w-]+)/g)].every(([, name = '']) => isNamed(name));
  layer.walkRules((rule) => {
    if (isFrame(rule)) return;
    const selectors = rule.selectors.filter(canMatch);
    if (selectors.length === 0) remove(rule);
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
}

/** Removes variables and animations that nothing names; variables are named by others, so it is repeated. */
function keepNamed(layer: AtRule, modules: readonly string[]): void {
  const elsewhere = modules.join('\n').match(/--bp[\w-]+/g) ?? [];
  for (let before = -1, now = 0; now !== before; before = now) {
    const styles = layer.root().toString();
    const named = new Set([...elsewhere, ...(styles.match(/(?<=var\(\s*)--[\w-]+/g) ?? [])]);
    layer.walkDecls(/^--/, (declaration) => {
      if (!named.has(declaration.prop)) remove(declaration);
    });
    now = named.size;
  }
  const animations = new Set<string>();
  layer.root().walkDecls(/animation/, ({ value }) => {
    for (const name of value.match(/[\w-]+/g) ?? []) animations.add(name);
  });
  layer.walkAtRules(/keyframes$/, (frames) => {
    if (!animations.has(frames.params)) remove(frames);
  });
}

/**
 * Leaves of Blueprint's layer what elements can match that are made by these modules, in its order. A rule stays if every
 * class that it asks for is named by a module, or made by Blueprint of a prop that a module gives.
 *
 * @param css all styles that the page has at first
 * @param modules the sources of its script
 * @param isWide keeps what they might name besides: nobody compares each screen with all of Blueprint's styles
 */
export function keepUsedStyles(css: string, modules: readonly string[], isWide = false): string {
  const root = parse(css);
  const classes = new Set(isWide ? [] : modules.flatMap(findClasses));
  const isNamed = isWide ? findMore(modules) : (name: string) => classes.has(name);
  root.walkComments((comment) => void comment.remove());
  root.walkRules((rule) => void (rule.selector = nameIntents(rule.selector)));
  root.walkAtRules('layer', (layer) => {
    if (layer.params !== 'blueprint' || !layer.nodes) return;
    keepMatching(layer, modules, isNamed);
    keepNamed(layer, modules);
  });
  return root.toString();
}

/** The sources of the modules of chunks, also of those that webpack has put together. */
function readModules(chunks: Iterable<Chunk>, { chunkGraph }: Compilation): string[] {
  const modules = new Set<Module>();
  for (const chunk of chunks)
    for (const module of chunkGraph.getChunkModulesIterable(chunk)) {
      const parts = 'modules' in module ? (module.modules as Iterable<Module>) : [module];
      for (const part of parts) modules.add(part);
    }
  return [...modules]
    .filter((module) => !NAMES_ALONE.test(module.nameForCondition() ?? ''))
    .map((module) => String(module.originalSource()?.source() ?? ''));
}

/** Leaves in all styles those of Blueprint's that the app can use, and in those of an entry what its script can use. */
export class KeepUsedStylesPlugin {
  readonly entry: string;

  constructor(entry: string) {
    this.entry = entry;
  }

  apply(compiler: Compiler): void {
    const { Compilation: stages, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('KeepUsedStyles', (compilation) => {
      const stage = stages.PROCESS_ASSETS_STAGE_PRE_PROCESS;
      compilation.hooks.processAssets.tap({ name: 'KeepUsedStyles', stage }, () => {
        const keepUsed = (files: Iterable<string>, chunks: Iterable<Chunk>, isWide: boolean): void => {
          const modules = readModules(chunks, compilation);
          for (const file of files)
            compilation.updateAsset(
              file,
              (css) => new sources.RawSource(keepUsedStyles(String(css.source()), modules, isWide)),
            );
        };
        const entry = compilation.entrypoints.get(this.entry)?.chunks ?? [];
        const first = stylesOf(entry);
        keepUsed(first, entry, false);
        const all = Array.from(compilation.chunks);
        const later = Array.from(stylesOf(all)).filter(
          (file) => !first.has(file) && String(compilation.assets[file]?.source()).includes('@layer blueprint'),
        );
        keepUsed(later, all, true);
      });
    });
  }
}

const stylesOf = (chunks: readonly Chunk[]): Set<string> =>
  new Set(chunks.flatMap(({ files }) => Array.from(files)).filter((name) => name.endsWith('.css')));
