export { contractIdOf } from './deploy.ts'
export type {
  Invocation,
  InvocationCost,
  InvocationFailure,
  InvocationMode,
  InvocationOutcome,
} from './invocation.ts'
export { invoke } from './invoke.ts'
export { mandateWasm, mandateWasmHash } from './mandate-wasm.ts'
export { maxTtl, minPersistentTtl, minTemporaryTtl } from './settings.ts'
