export type {
  Invocation,
  InvocationCost,
  InvocationFailure,
  InvocationMode,
  InvocationOutcome,
} from './invocation.ts'
export { invoke } from './invoke.ts'
export { maxTtl, minPersistentTtl, minTemporaryTtl } from './settings.ts'
