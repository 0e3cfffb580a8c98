export { type SandboxClock, sandboxClock } from './clock.ts'
export { Faults } from './faults/faults.ts'
export { OtherNetwork } from './genesis.ts'
export { defaultPassphrase } from './network.ts'
export { listen, type RpcHandler, rpcHandler, rpcInProcess } from './rpc/index.ts'
export { openSandbox, type SandboxOptions } from './sandbox.ts'
export type {
  AdvanceRequest,
  ClockReading,
  ClosedLedger,
  FaultKnobs,
  FaultRefused,
  Funding,
  FundingRefused,
  FundRequest,
  LedgerReader,
  LedgerSummary,
  MalformedEnvelope,
  Sandbox,
  SandboxAsset,
  StoredLedger,
  StoredTransaction,
  Submission,
  TargetInThePast,
} from './sandbox-api.ts'
