import { configureGlobal } from 'fast-check';

/** For mutation testing: a property that fails need not tell its smallest case, and fails on few draws as a rule. */
configureGlobal({ numRuns: 30, endOnFailure: true });
