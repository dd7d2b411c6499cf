import type { CutFile, LibraryCut } from './library-cut.ts';

/** The fibers of what the app does not have, by their numbers in `beginWork`. */
const MISSING = {
  dehydrated: 18,
  suspenseList: 19,
  scope: 21,
  /** Elements that React moves to the head: titles, links, styles, scripts. */
  hoistable: 26,
  /** The elements html, head and body. */
  singleton: 27,
  viewTransition: 30,
  activity: 31,
};

const NUMBERS = `(?:${Object.values(MISSING).join('|')})`;

/** How the file reads the number of a fiber. */
const TAG = String.raw`(?:[\w$]+\.)?(?:tag|targetInst|grandTag|_instance\d?)\b`;

/** Functions that are called only for what is not there, or have nothing to do without it. */
const IDLE = [
  // There is no markup of a server that React would take over.
  'throwOnHydrationMismatch',
  'resetHydrationState',
  'queueHydrationError',
  'commitSuspenseHydrationCallbacks',
  'retryDehydratedSuspenseBoundary',
  'clearIfContinuousEvent',
  'retryIfBlockedOn',
  // There is no `<ViewTransition>`.
  'trackEnterViewTransitions',
  'pushViewTransitionCancelableScope',
  'commitAppearingPairViewTransitions',
  'commitEnterViewTransitions',
  'commitDeletedPairViewTransitions',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'restorePairedViewTransitions',
  'restoreEnterOrExitViewTransitions',
  'restoreNestedViewTransitions',
  'measureNestedViewTransitions',
  'commitAfterMutationEffectsOnFiber',
  'flushAfterMutationEffects',
  'reportViewTransitionError',
  // No fragment has a ref.
  'commitNewChildToFragmentInstances',
  'commitFragmentInstanceInsertionEffects',
  'commitFragmentInstanceDeletionEffects',
  // No form has a function as its action.
  'extractEvents$1',
];

/** What calls of a function answer where the app has not what it is about. */
const ANSWERS = {
  popHydrationState: 'false',
  upgradeHydrationErrorsToRecoverable: 'null',
  getParentHydrationBoundary: 'null',
  isFragmentInstanceParent: 'false',
  // No element's name has a hyphen.
  isCustomElement: 'false',
  // Where an error came from among the components: nobody asks, and the console names the error alone.
  getStackByFiberInDevAndProd: "''",
};

const escaped = (name: string): string => name.replaceAll('$', String.raw`\$`);

/** Leaves nothing but `body` of a function of the file. */
const withBody = (name: string, body = ''): LibraryCut => ({
  find: new RegExp(`^(function ${escaped(name)}\\([^{]*\\{)[^]*?^\\}$`, 'gm'),
  replace: `$1${body}}`,
});

/**
 * What the app does not use of React: hydration, view transitions, lists of suspense, activities, refs of fragments,
 * elements that move to the head, custom elements, forms with actions, hints for the browser what to load. None of it can
 * be entered: a condition that is never true becomes `false`, a function that is never called loses its body, and the
 * minifier leaves out the rest. `tests/layout/react-parts.test.ts` fails where the app uses what is cut here.
 */
export const REACT_DOM_CUTS: CutFile = {
  file: /[\\/]react-dom[\\/]cjs[\\/]react-dom-client\.production\.js$/,
  // The numbers of fibers and of flags may be others in another release.
  digest: 'a319b413b7a19ee34422d9a12a8e7afd003c07846716d278ba1a0898e8cb6251',
  cuts: [
    // Fibers. A switch begins with a label, and what follows declares variables that others share.
    {
      find: new RegExp(String.raw`(switch \([\w$]+(?:\.\w+)?\) \{\s+)case ${NUMBERS}:`, 'g'),
      replace: '$1case -1: break;',
    },
    { find: new RegExp(String.raw`\bcase ${NUMBERS}:`, 'g'), replace: '' },
    { find: new RegExp(String.raw`\b${NUMBERS} === ${TAG}`, 'g'), replace: 'false' },
    { find: new RegExp(String.raw`\b${NUMBERS} !== ${TAG}`, 'g'), replace: 'true' },
    { find: /(fiberTag = )isHostHoistableType\([^?]*\?\s*26/g, replace: '$1false ? 26' },

    // Hydration.
    { find: /^exports\.hydrateRoot = [^]*?^\};$/gm, replace: '' },
    { find: /^ReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration = [^]*?^\};$/gm, replace: '' },
    { find: /^ReactDOMHydrationRoot\.prototype\.(?:render|unmount) = /gm, replace: '' },
    { find: /\(isHydrating = !0\)/g, replace: '0' },
    { find: /\bisHydrating = !\d;/g, replace: ';' },
    { find: /\bisHydrating = !\d,/g, replace: '' },
    { find: /\bisHydrating\b(?=\n\) \{)/g, replace: 'isTakenOver' },
    { find: /\bisHydrating\b/g, replace: 'false' },
    { find: /\bnull !== (?:[\w$]+\.)+dehydrated\b/g, replace: 'false' },
    { find: /\bnull === (?:[\w$]+\.)+dehydrated\b/g, replace: 'true' },
    {
      find: /(?<=var dehydrated\$96 = )prevState\.dehydrated;(\s+if \()null !== dehydrated\$96\b/g,
      replace: 'null;$1false',
    },
    { find: /(?:[\w$]+\.)+dehydrated\b/g, replace: 'null' },
    { find: /(?:[\w$]+\.)+isDehydrated\b/g, replace: 'false' },
    { find: /\bfiber === hydrationParentFiber\b/g, replace: 'false' },
    { find: /thrownValue === SelectiveHydrationException/g, replace: 'false' },
    // Events never wait for a part of the page that is not yet taken over.
    withBody(
      'dispatchEvent',
      `if (_enabled) {
        findInstanceBlockingEvent(nativeEvent);
        dispatchEventForPluginEventSystem(domEventName, eventSystemFlags, nativeEvent, return_targetInst, targetContainer);
      }`,
    ),

    // View transitions, and images that a transition waits for inside of one.
    { find: /\bshouldStartViewTransition\b(?=\s+\?)/g, replace: 'false' },
    { find: /\bcommittedLanes = \(committedLanes & \d+\) === committedLanes;/g, replace: 'committedLanes = false;' },
    { find: /\(JSCompiler_temp = 0 !== \(workInProgress\.mode & 32\)\)/g, replace: 'false' },
    {
      find: /\bisViewTransitionEligible \|\|\s+subtreeFlags & 8192 \|\|\s+\d+ === \(subtreeFlags & \d+\)/g,
      replace: 'false',
    },
    { find: /^ViewTransitionPseudoElement\.prototype\.\w+ = [^]*?^\};$/gm, replace: '' },

    // Refs of fragments.
    { find: /^FragmentInstance\.prototype\.\w+ = [^]*?^\};$/gm, replace: '' },
    { find: /case 7:\s+if \(null === current\.stateNode\) \{[^]*?(?=default:)/g, replace: '' },

    // Hints what to load, of which react-dom's own exports are the only callers, and the sign of a transition that lasts.
    { find: /^ {2}(?:[CDLMSXm]: pre\w+),?$/gm, replace: '' },
    { find: /^ {4}defaultOnDefaultTransitionIndicator$/gm, replace: 'null' },
    { find: /^ {4}use(?:FormState|ActionState|HostTransitionStatus): \w+,$/gm, replace: '' },

    ...Object.entries(ANSWERS).map(([name, answer]) => ({
      find: new RegExp(String.raw`(?<!function )\b${name}\([\w$]*\)`, 'g'),
      replace: answer,
    })),
    ...IDLE.map((name) => withBody(name)),
  ],
};
