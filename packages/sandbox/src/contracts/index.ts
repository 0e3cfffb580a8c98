export type { InvocationCost, InvocationMode, InvocationOutcome } from './invocation.ts'
export { invoke } from './invoke.ts'
export { maxTtl, minPersistentTtl } from './settings.ts'
