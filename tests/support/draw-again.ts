/** Set-up file of every vitest test: a property that failed draws the same values at its second attempt, and fails. */
import * as fc from 'fast-check';

fc.configureGlobal({ seed: Math.floor(Math.random() * 2 ** 31) });
