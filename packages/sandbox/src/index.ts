export type {
  AdvanceRequest,
  ClockReading,
  ClosedLedger,
  Funding,
  FundingRefused,
  FundRequest,
  MalformedEnvelope,
  Sandbox,
  SandboxAsset,
  Submission,
  TargetInThePast,
} from './sandbox-api.ts'
