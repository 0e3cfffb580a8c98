/**
 * A Stellar network in one process.
 *
 * @module @quittance/sandbox
 */

export { sandboxClock } from './clock.ts'
export { Faults, type Knob, WholeNumber } from './faults/faults.ts'
export { listen, rpcInProcess } from './rpc/index.ts'
export { openSandbox } from './sandbox.ts'
export type { FundingRefused, Sandbox } from './sandbox-api.ts'
